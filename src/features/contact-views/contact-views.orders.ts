import * as z from "zod";

/** The order of a list of contacts: as the API names fields, with a minus for descending. Newest first where none is given. */
export const contactOrder = z.enum(["created_at", "name", "-name"]);

export type ContactOrder = z.infer<typeof contactOrder>;
