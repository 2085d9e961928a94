import * as z from "zod";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/json.ts";
import { type ContactLayout, contactLayout, type ContactRecord, contactRecord, tag } from "./contacts.schemas.ts";
import { readLarge } from "./list-contacts.sql.ts";

const listed = z.object({ seq: z.number(), contact: contactRecord.extend({ tags: z.array(z.number()) }) });
const pages = z.tuple([
  z.object({
    contacts: fromJson(z.array(listed)),
    large: fromJson(z.array(z.number())),
    tags: fromJson(z.array(tag.extend({ number: z.number() }))),
    layout: fromJson(contactLayout),
  }),
]);
const largeRows = z.array(z.object({ contact: fromJson(listed) }));

export interface ContactRow {
  seq: number;
  contact: ContactRecord;
}

/** The contacts that `contactPage` found, newest first, with what they are presented with. Those too large for a page take a trip more. */
export async function readContactPage(ctx: Ctx, rows: unknown): Promise<{ rows: ContactRow[]; layout: ContactLayout }> {
  const [{ contacts, large, tags, layout }] = pages.parse(rows);
  const others = large.length === 0 ? [] : largeRows.parse(await readLarge(ctx, large)).map(({ contact }) => contact);
  const named = new Map(tags.map(({ number, ...known }) => [number, known]));
  return {
    rows: [...contacts, ...others]
      .toSorted((a, b) => b.seq - a.seq)
      .map(({ seq, contact }) => {
        // A number without a name is of a tag that was deleted.
        const shown = contact.tags.flatMap((number) => named.get(number) ?? []);
        return { seq, contact: { ...contact, tags: shown } };
      }),
    layout,
  };
}
