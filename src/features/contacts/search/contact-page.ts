import { fetchRows } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { type ContactPageRow, selectLargeContacts } from "./contact-page.sql.ts";
import type { ContactLayout, ContactRecord } from "../contacts.schemas.ts";

export interface ContactRow {
  seq: number;
  contact: ContactRecord;
}

/** The contacts of a page, newest first, with their custom fields. Contacts in `large` need a second round trip. */
export async function readContactPage(
  ctx: Ctx,
  [page]: ContactPageRow[],
): Promise<{ rows: ContactRow[]; layout: ContactLayout }> {
  if (page === undefined) throw new Error("A page of contacts was not read.");
  const { contacts, large, tags, layout } = page;
  const others = large.length === 0 ? [] : await fetchRows(ctx.db, selectLargeContacts(ctx, large));
  const tagsByNumber = new Map(tags.map(({ number, ...tag }) => [number, tag]));
  return {
    rows: [...contacts, ...others.map(({ contact }) => contact)]
      .toSorted((a, b) => b.seq - a.seq)
      .map(({ seq, contact }) => {
        // Numbers without a tag belong to deleted tags.
        const shown = contact.tags.flatMap((number) => tagsByNumber.get(number) ?? []);
        return { seq, contact: { ...contact, tags: shown } };
      }),
    layout,
  };
}
