import { and, eq, gt, inArray, sql, type SQL } from "drizzle-orm";
import { columns } from "../../db/columns.ts";
import { cleanups, contacts, workspaces } from "../../db/schema/index.ts";
import { type BuiltQuery } from "../../db/drizzle-internals.ts";
import { transact } from "../../db/statement.ts";
import type { Database, BaseCtx } from "../../shared/context.ts";
import { SEQ_RANGE } from "./contacts.sql.ts";

const contact = columns(contacts);
const cleanupColumn = columns(cleanups);

type Cleanup = typeof cleanups.$inferSelect;

/** Without `id > 0`, SQLite would scan the table. With the condition, it searches the primary key. */
const findCleanups = (db: Database, limit: number): Promise<Cleanup[]> =>
  db.select().from(cleanups).where(gt(cleanups.id, 0)).orderBy(cleanups.id).limit(limit);

async function findWorkspaceNumbers(control: Database, ids: string[]): Promise<Map<string, number>> {
  const rows = await control
    .select({ id: workspaces.id, number: workspaces.number })
    .from(workspaces)
    .where(inArray(workspaces.id, ids));
  return new Map(rows.map(({ id, number }) => [id, number]));
}

function statementsFor(db: Database, { kind, number, options }: Cleanup, within: SQL): (SQL | BuiltQuery)[] {
  const { tags, customFields, folded } = contacts;
  const [field, foldedField] = [`$."${number}"`, `$.f${number}`];
  const withoutField = sql`json_remove(${customFields}, ${field})`;
  const withoutFolded = sql`json_remove(${folded}, ${foldedField})`;
  const update = (set: { tags?: SQL; customFields?: SQL; folded?: SQL }, holds: SQL) => [
    db
      .update(contacts)
      .set({ ...set, revision: sql`${contacts.revision} + 1` })
      .where(and(within, holds)),
  ];
  switch (kind) {
    case "tag":
      return update(
        { tags: sql`(SELECT json_group_array(value) FROM json_each(${tags}) WHERE value <> ${number})` },
        sql`EXISTS (SELECT 1 FROM json_each(${tags}) WHERE value = ${number})`,
      );
    case "field":
      return update(
        { customFields: withoutField, folded: withoutFolded },
        sql`(json_type(${customFields}, ${field}) IS NOT NULL OR json_type(${folded}, ${foldedField}) IS NOT NULL)`,
      );
    case "option": {
      // `json_each` reads the single value of a `select` field as a list with one entry, so this works for `select` and
      // `multi_select`.
      const removed = sql`(SELECT value FROM json_each(${options}))`;
      const values = sql`json_each(${customFields}, ${field})`;
      const rest = sql`(SELECT json_group_array(value) FROM ${values} WHERE value NOT IN ${removed})`;
      return update(
        {
          customFields: sql`iif(${rest} = '[]', ${withoutField}, json_set(${customFields}, ${field}, json(${rest})))`,
          folded: sql`iif(${rest} = '[]', ${withoutFolded}, ${folded})`,
        },
        sql`EXISTS (SELECT 1 FROM ${values} WHERE value IN ${removed})`,
      );
    }
    case "index":
      // Raw SQL: the query builder does not support virtual tables.
      return [
        sql`DELETE FROM contact_search WHERE rowid IN (SELECT ${contact.seq} FROM contacts WHERE ${within})`,
        sql`INSERT INTO contact_search (rowid, t, f) SELECT seq, t, f FROM contact_search_source WHERE ${within}`,
      ];
  }
}

/**
 * Contacts per batch. Indexing a contact takes far longer than removing a value, so a batch that indexes has fewer
 * contacts.
 */
const CHUNKS: Record<Cleanup["kind"], number> = { tag: 5000, field: 5000, option: 5000, index: 500 };

/** One transaction cleans the next contacts and moves the cursor. Parallel runs therefore clean different contacts. */
async function runChunk(db: Database, cleanup: Cleanup, workspaceNumber: number): Promise<boolean> {
  const base = workspaceNumber * SEQ_RANGE;
  const size = CHUNKS[cleanup.kind];
  const cursor = sql`(SELECT max(${cleanupColumn.cursor}, ${base}) FROM cleanups WHERE ${cleanupColumn.id} = ${cleanup.id})`;
  const within = sql`${contact.seq} > ${cursor} AND ${contact.seq} <= ${cursor} + ${size} AND ${contact.seq} < ${base + SEQ_RANGE}`;
  const isCleanup = eq(cleanups.id, cleanup.id);
  const contactsLeft = sql`
    SELECT 1 FROM ${contacts} WHERE ${contacts.seq} > ${cleanups.cursor} AND ${contacts.seq} < ${base + SEQ_RANGE}`;
  const { remaining } = await transact(db, {
    work: statementsFor(db, cleanup, within),
    move: db
      .update(cleanups)
      .set({ cursor: sql`max(${cleanups.cursor}, ${base}) + ${size}` })
      .where(isCleanup),
    end: db.delete(cleanups).where(and(isCleanup, sql`NOT EXISTS (${contactsLeft})`)),
    remaining: db.select({ id: cleanups.id }).from(cleanups).where(isCleanup),
  });
  return remaining.length === 0;
}

const CHUNKS_PER_RUN = 20;

/**
 * Removes deleted tags, fields and options from contacts, and indexes contacts again. Readers skip the deleted values
 * until they are removed.
 */
export async function cleanContacts(base: BaseCtx, shard: number): Promise<void> {
  const db = base.shard(shard);
  const pending = await findCleanups(db, CHUNKS_PER_RUN);
  if (pending.length === 0) return;
  const numbers = await findWorkspaceNumbers(
    base.control,
    pending.map(({ workspaceId }) => workspaceId),
  );
  for (let chunks = 0; chunks < CHUNKS_PER_RUN; chunks++) {
    const cleanup = pending.shift();
    if (cleanup === undefined) return;
    const number = numbers.get(cleanup.workspaceId);
    if (number === undefined) throw new Error(`Cleanup ${cleanup.id} does not belong to a workspace.`);
    const isDone = await runChunk(db, cleanup, number);
    if (!isDone) pending.push(cleanup);
  }
}
