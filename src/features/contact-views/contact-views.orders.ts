import * as z from "zod";

/** The order of a contact list: API field names, with a minus for descending. Defaults to newest first. */
export const contactOrder = z.enum(["created_at", "name", "-name"]);

export type ContactOrder = z.infer<typeof contactOrder>;
