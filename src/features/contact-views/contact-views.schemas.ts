import * as z from "zod";
import { boundedText } from "../../http/fields.ts";
import { listContactsQuery } from "../contacts/contacts.schemas.ts";

export const contactOrder = z.enum(["created_at", "name", "-name"]);

export type ContactOrder = z.infer<typeof contactOrder>;

export const savedViewRecord = z.object({
  id: z.string(),
  name: z.string(),
  query: z.string(),
  created_by: z.string(),
});

export type SavedView = z.infer<typeof savedViewRecord>;

const viewName = boundedText(60);

export const columnsParam = z.string().max(1000).optional();

export const saveViewBody = z.strictObject({
  name: viewName,
  query: listContactsQuery
    .pick({ search: true, tag: true, source: true, status: true, archived: true })
    .extend({ columns: columnsParam, sort: contactOrder.optional() }),
});

export type NewView = z.output<typeof saveViewBody>;

export const renameViewBody = z.strictObject({ name: viewName });

/** The parts have a fixed order, so views with the same filters, columns and sort order have the same text. */
export function viewQuery({ search, tag, source, status, archived, columns, sort }: NewView["query"]): string {
  const isArchived = archived === true ? "true" : undefined;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ search, tag, source, status, archived: isArchived, columns, sort }))
    if (value !== undefined) query.set(name, value);
  return query.toString();
}
