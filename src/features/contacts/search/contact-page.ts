// A page of contacts is one row of JSON. Raw SQL, because CROSS JOIN makes SQLite read the tables in this order.
import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { contacts, tags } from "../../../db/schema/index.ts";
import { statement, fetchRows } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/text/json.ts";
import { contactLayout, contactRecord, tag, type ContactLayout, type ContactRecord } from "../contacts.schemas.ts";
import { contactWith, contactLayoutJson } from "../contacts.sql.ts";

const c = columns(contacts, "c");
const t = columns(tags, "t");

/** D1 limits a value to 2 MB, and a page is one value. */
const PAGE_BYTES = 1_800_000;
const MAX_PLAIN_CONTACT_BYTES = 8000;

/** Here `tags` contains the numbers of the tags. */
const pagedContact = z.object({ seq: z.number(), contact: contactRecord.extend({ tags: z.array(z.number()) }) });

const pageRow = z.object({
  contacts: fromJson(z.array(pagedContact)),
  large: fromJson(z.array(z.number())),
  layout: fromJson(contactLayout),
  tags: fromJson(z.array(tag.extend({ number: z.number() }))),
});

export type ContactPageRow = z.infer<typeof pageRow>;

const pagedContactJson = (ctx: Ctx): SQL => sql`json_object('seq', ${c.seq}, 'contact', ${contactWith(ctx, c.tags)})`;

/**
 * `large` lists the contacts that do not fit into the page. Each contact has only the numbers of its tags, and the page
 * lists each tag once, because a join would read a tag again for each contact. `json_patch` removes repeated numbers.
 */
export const selectContactPage = (ctx: Ctx, hits: SQL, limit: number) => {
  const fits = sql`octet_length(${c.customFields}) <= ${Math.floor(PAGE_BYTES / limit) - MAX_PLAIN_CONTACT_BYTES}`;
  return statement(
    pageRow,
    sql`
      SELECT p.contacts AS contacts, p.large AS large, ${contactLayoutJson(ctx)} AS layout,
        (SELECT json_group_array(json_object('number', ${t.number}, 'id', ${t.id}, 'name', ${t.name}, 'color', ${t.color}))
          FROM json_each(json_patch('{}', '{' || p.tag_set || '}')) n CROSS JOIN tags t
          ON ${t.workspaceId} = ${ctx.workspace.id} AND ${t.number} = CAST(n.key AS INTEGER) AND ${t.deletedAt} IS NULL) AS tags
      FROM (
        SELECT json_group_array(${pagedContactJson(ctx)}) FILTER (WHERE ${fits}) AS contacts,
          json_group_array(${c.seq}) FILTER (WHERE NOT ${fits}) AS large,
          coalesce(group_concat('"' || replace(trim(${c.tags}, '[]'), ',', '":1,"') || '":1') FILTER (WHERE ${c.tags} <> '[]'), '') AS tag_set
        FROM (${hits}) hit CROSS JOIN contacts c ON ${c.seq} = hit.seq) p`,
  );
};

const largeContact = z.object({ contact: fromJson(pagedContact) });

const selectLargeContacts = (ctx: Ctx, seqs: readonly number[]) =>
  statement(
    largeContact,
    sql`
      SELECT ${pagedContactJson(ctx)} AS contact FROM json_each(${JSON.stringify(seqs)}) e
      CROSS JOIN contacts c ON ${c.seq} = e.value AND ${c.workspaceId} = ${ctx.workspace.id}`,
  );

export interface ContactRow {
  seq: number;
  contact: ContactRecord;
}

export async function readContactPage(
  ctx: Ctx,
  [page]: ContactPageRow[],
): Promise<{ rows: ContactRow[]; layout: ContactLayout }> {
  if (page === undefined) throw new Error("A page of contacts was not read.");
  const { large, layout } = page;
  const others = large.length === 0 ? [] : await fetchRows(ctx.db, selectLargeContacts(ctx, large));
  const tagsByNumber = new Map(page.tags.map(({ number, ...listed }) => [number, listed]));
  const rows = [...page.contacts, ...others.map(({ contact }) => contact)].toSorted((a, b) => b.seq - a.seq);
  // The numbers of deleted tags are not in `tagsByNumber`.
  const withTags = rows.map(({ seq, contact }) => {
    return { seq, contact: { ...contact, tags: contact.tags.flatMap((number) => tagsByNumber.get(number) ?? []) } };
  });
  return { rows: withTags, layout };
}
