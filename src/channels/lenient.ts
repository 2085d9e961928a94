// Fields of providers' messages. A malformed field counts as missing, and the rest is parsed.
import * as z from "zod";

export const lenientText = z.string().nullish().catch(null);

/** Some engines send numbers as strings. */
export const number = z.union([z.number(), z.string()]).nullish().catch(null);
