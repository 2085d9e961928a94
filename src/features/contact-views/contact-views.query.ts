import type { NewView } from "./contact-views.schemas.ts";

/** The query string of a view's page: equal for equal filters, columns and order. */
export function viewQuery({ search, tag, source, status, archived, columns, sort }: NewView["query"]): string {
  const isArchived = archived === true ? "true" : undefined;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ search, tag, source, status, archived: isArchived, columns, sort }))
    if (value !== undefined) query.set(name, value);
  return query.toString();
}
