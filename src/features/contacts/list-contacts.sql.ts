import { sql } from "drizzle-orm";
import type { SQL } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { contactWith, layoutJson } from "./contacts.sql.ts";

/** D1 takes values of 2 MB: a page is one. */
const PAGE_BYTES = 1_800_000;
/** What a contact takes besides its custom fields, at most. */
const CONTACT_BYTES = 8000;

const listed = (ctx: Ctx): SQL => sql`json_object('seq', c.seq, 'contact', ${contactWith(ctx, sql`c.tags`)})`;

/**
 * One row with the contacts that `hits` gives the `seq` of, at most `limit`, for `readContactPage`. Their tags are numbers, named
 * once for all of them: what is joined to each contact is read for each. Merging one JSON object into another keeps one of equal
 * keys, and reads no rows.
 */
export const contactPage = (ctx: Ctx, hits: SQL, limit: number): SQL => {
  const fits = sql`octet_length(c.custom_fields) <= ${Math.floor(PAGE_BYTES / limit) - CONTACT_BYTES}`;
  return sql`
    SELECT p.contacts AS contacts, p.large AS large, ${layoutJson(ctx)} AS layout,
      (SELECT json_group_array(json_object('number', t.number, 'id', t.id, 'name', t.name, 'color', t.color))
        FROM json_each(json_patch('{}', '{' || p.tag_set || '}')) n CROSS JOIN tags t
        ON t.workspace_id = ${ctx.workspace.id} AND t.number = CAST(n.key AS INTEGER) AND t.deleted_at IS NULL) AS tags
    FROM (
      SELECT json_group_array(${listed(ctx)}) FILTER (WHERE ${fits}) AS contacts,
        json_group_array(c.seq) FILTER (WHERE NOT ${fits}) AS large,
        coalesce(group_concat('"' || replace(trim(c.tags, '[]'), ',', '":1,"') || '":1') FILTER (WHERE c.tags <> '[]'), '') AS tag_set
      FROM (${hits}) hit CROSS JOIN contacts c ON c.seq = hit.seq) p`;
};

/** Rows `contact` of contacts too large for a page. */
export const readLarge = (ctx: Ctx, seqs: readonly number[]): Promise<unknown[]> =>
  ctx.db.all(sql`
    SELECT ${listed(ctx)} AS contact FROM json_each(${JSON.stringify(seqs)}) e
    CROSS JOIN contacts c ON c.seq = e.value AND c.workspace_id = ${ctx.workspace.id}`);
