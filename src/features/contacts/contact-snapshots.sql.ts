// A batch cannot predict every change of a contact, because triggers copy opt-outs to all keys of a person, and merges
// change many fields. A snapshot of the contact is therefore stored before the change. At the end, the batch compares
// the contact with the snapshot and appends the events.
import { eq, sql, type SQL } from "drizzle-orm";
import { columns, insertSelect, updateSet } from "../../db/columns.ts";
import { contacts, contactSnapshots } from "../../db/schema/index.ts";
import type { Ctx } from "../../shared/context.ts";
import { appendEvents, event, eventsOf } from "../events/append-events.sql.ts";
import { changesBetween, contactState, externalIdsJson, visibleIdentities } from "./contact-events.sql.ts";
import { optedOutAt, type OptOutList } from "./opt-outs/opt-outs.sql.ts";

const c = columns(contacts, "c");
const s = columns(contactSnapshots, "s");
const contact = columns(contacts);

const fullState = (ctx: Ctx, id: SQL): SQL =>
  contactState(ctx, "c", [
    ["id", id],
    ["external_ids", externalIdsJson(visibleIdentities(c.seq))],
  ]);

/** `formerId` appears in the event as the contact's id before the change. */
export const snapshotContact = (
  ctx: Ctx,
  type: "contact.merged" | "contact.identity_changed",
  { seq, formerId }: { seq: number; formerId?: string },
  condition = sql`TRUE`,
): SQL =>
  insertSelect(
    contactSnapshots,
    {
      workspaceId: c.workspaceId,
      contactSeq: c.seq,
      type,
      before: fullState(ctx, formerId === undefined ? c.id : sql`${formerId}`),
    },
    sql`FROM contacts c WHERE ${c.seq} = ${seq} AND ${c.workspaceId} = ${ctx.workspace.id} AND ${condition}
  ON CONFLICT DO NOTHING`,
  );

function snapshotEvents(ctx: Ctx): SQL {
  const flag = (name: string) => sql`json(${s.before} -> ${sql.raw(`'$.${name}'`)})`;
  const isListed = (list: OptOutList) =>
    sql`json(iif(${optedOutAt(ctx, c.id, c.phoneKey, list)} IS NULL, 'false', 'true'))`;
  const ofFlags = (type: SQL, name: string, now: SQL) => sql`
    SELECT ${event(type, c.id, changesBetween(sql`json_object(${sql.raw(`'${name}'`)}, ${flag(name)})`, sql`json_object(${sql.raw(`'${name}'`)}, ${now})`))}
    FROM contact_snapshots s CROSS JOIN contacts c ON ${c.seq} = ${s.contactSeq}
    WHERE ${s.workspaceId} = ${ctx.workspace.id} AND ${s.type} = 'flags'`;
  const isOptedOut = isListed("suppressions");
  const optOutType = sql`iif(${isOptedOut} = 'true', 'contact.opted_out', 'contact.opted_in')`;
  const all = eventsOf([
    ofFlags(optOutType, "is_unsubscribed", isOptedOut),
    ofFlags(sql`'contact.updated'`, "marketing_opt_out", isListed("marketing_suppressions")),
    sql`
      SELECT ${event(s.type, c.id, changesBetween(s.before, fullState(ctx, c.id)))}
      FROM contact_snapshots s CROSS JOIN contacts c ON ${c.seq} = ${s.contactSeq}
      WHERE ${s.workspaceId} = ${ctx.workspace.id} AND ${s.type} <> 'flags'`,
  ]);
  return sql`SELECT type, object_id, changes FROM (${all} LIMIT -1) WHERE changes <> '{}'`;
}

/**
 * A changed opt-out increases the revision of the contact, because clients see and write the opt-out as a field of the
 * contact.
 */
const raiseRevisions = (ctx: Ctx): SQL =>
  updateSet(
    contacts,
    { revision: sql`${contact.revision} + 1` },
    sql`
  WHERE ${contact.seq} IN (
    SELECT ${c.seq} FROM contact_snapshots s CROSS JOIN contacts c ON ${c.seq} = ${s.contactSeq}
    WHERE ${s.workspaceId} = ${ctx.workspace.id} AND ${s.type} = 'flags'
      AND ${s.before} ->> '$.is_unsubscribed' IS NOT (${optedOutAt(ctx, c.id, c.phoneKey)} IS NOT NULL))`,
  );

/**
 * Every batch that can change opt-outs or store snapshots must end with these statements, which append the events and
 * delete the snapshots.
 */
export const appendSnapshotEvents = (ctx: Ctx): SQL[] => [
  appendEvents(ctx, snapshotEvents(ctx)),
  raiseRevisions(ctx),
  ctx.db.delete(contactSnapshots).where(eq(contactSnapshots.workspaceId, ctx.workspace.id)).getSQL(),
];
