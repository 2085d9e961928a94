import * as z from "zod";
import { boundedText } from "../../http/fields.ts";
import { contactOrder } from "./contact-views.orders.ts";
import { listContactsQuery } from "../contacts/contacts.schemas.ts";

/** A stored view. */
export const savedViewRecord = z.object({
  id: z.string(),
  name: z.string(),
  /** The query string of its page. */
  query: z.string(),
  created_by: z.string(),
});

export type SavedView = z.infer<typeof savedViewRecord>;

const viewName = boundedText(60);

/** Column names, comma separated. */
export const columnsParam = z.string().max(1000).optional();

export const saveViewBody = z.strictObject({
  name: viewName,
  query: listContactsQuery
    .pick({ search: true, tag: true, source: true, status: true, archived: true })
    .extend({ columns: columnsParam, sort: contactOrder.optional() }),
});

export type NewView = z.output<typeof saveViewBody>;

export const renameViewBody = z.strictObject({ name: viewName });
