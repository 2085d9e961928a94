import * as z from "zod";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/json.ts";
import { tagKey } from "../tags/tags.service.ts";
import {
  type ContactLayout,
  contactLayout,
  type ContactRecord,
  contactRecord,
  type listContactsQuery,
} from "./contacts.schemas.ts";
import { type ContactFilter, type ContactPage, search } from "./search-contacts.repository.ts";

export { newestHits } from "./search-contacts.repository.ts";

const hit = z.object({ seq: z.number(), contact: fromJson(contactRecord) });
const layoutRow = z.object({ fields: fromJson(contactLayout) });
const totalRow = z.object({ total: z.number() });

type ListQuery = Pick<z.output<typeof listContactsQuery>, "search" | "tag" | "source" | "status" | "archived">;

export interface ContactHits {
  /** Newest first, one beyond `limit` where there are more. */
  rows: { seq: number; contact: ContactRecord }[];
  layout: ContactLayout;
  total: number | null;
}

/** What of a list's query says which contacts are looked for. */
export const filterOf = ({ search: term, tag, source, status, archived = false }: ListQuery): ContactFilter => ({
  search: term,
  source,
  status,
  archived,
  tagKey: tag === undefined ? undefined : tagKey(tag),
});

/** Contacts that pass all filters, found through one index whatever their mix. */
export async function searchContacts(ctx: Ctx, filter: ContactFilter, page: ContactPage): Promise<ContactHits> {
  const { layout, rows, total } = await search(ctx, filter, page);
  return {
    // The join keeps the order of its hits in practice, but does not promise it.
    rows: z
      .array(hit)
      .parse(rows)
      .toSorted((a, b) => b.seq - a.seq),
    layout: z.array(layoutRow).parse(layout)[0]?.fields ?? [],
    total: total === undefined ? null : (z.array(totalRow).parse(total)[0]?.total ?? 0),
  };
}
