// Fields of providers' messages. One that is not as it should be counts as not there, and the rest is read all the same.
import * as z from "zod";

export const lenientText = z.string().nullish().catch(null);

/** Some engines write numbers as text. */
export const number = z.union([z.number(), z.string()]).nullish().catch(null);
