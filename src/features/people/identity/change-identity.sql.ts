// Changes of numbers and user ids. Raw, because each statement requires that the notice is new.
import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import type { IdentityEvent } from "../../../channels/channel-events.ts";
import { columns, insertSelect } from "../../../db/columns.ts";
import { bool } from "../../../db/rows.ts";
import { connections, contactIdentities, contacts, conversations, numberChanges } from "../../../db/schema/index.ts";
import { fetchRow, type SQL, statement, transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { DAY_MS } from "../../../shared/time/durations.ts";
import { fromJson } from "../../../shared/text/json.ts";
import { phoneKey } from "../../../shared/text/phone.ts";
import { appendSnapshotEvents, snapshotContact } from "../../contacts/contact-snapshots.sql.ts";
import { phonesSince, userIdsSince } from "../../contacts/identity/follow-identity-changes.sql.ts";
import { allContactSeqsByPerson, providerOf } from "../../contacts/identity/identify-people.sql.ts";
import { upsertContactIdentities } from "../../contacts/identity/provider-ids.sql.ts";
import { copyOptOuts, optOutKeyOfUserId } from "../../contacts/opt-outs/opt-outs.sql.ts";
import { deleteOutdatedOptOuts } from "../../contacts/opt-outs/opt-ins.sql.ts";

const c = columns(contacts, "c");
const v = columns(conversations, "v");
const contact = columns(contacts);
const connection = columns(connections);
const noticeColumn = columns(numberChanges);

/** Longer than a notice takes to arrive, shorter than a released number stays unassigned. */
const OLD_NUMBER_HELD_MS = DAY_MS;

/** A number (E.164), a user id, or both. */
type Identifiers = IdentityEvent["now"];

/** Any number of each, oldest first. */
interface IdentifierList {
  phones: string[];
  userIds: string[];
}

interface Notice {
  connectionId: string;
  noticeId: string;
  before: Identifiers;
  after: Identifiers;
  /** ms since the epoch. */
  at: number;
}

export interface IdentityChange extends Notice {
  /** The person's latest identifiers: notices of later changes may have arrived first. */
  current: Identifiers;
  /** The identifiers between `before` and `current`. */
  between: IdentifierList;
}

const isStored = ({ connectionId, noticeId }: Notice): SQL =>
  sql`EXISTS (
    SELECT 1 FROM number_changes
    WHERE ${noticeColumn.connectionId} = ${connectionId} AND ${noticeColumn.providerMessageId} = ${noticeId})`;

const personOf = ({ phone, userId }: Identifiers) => ({
  phone,
  userIds: userId === null ? [] : [userId],
  aliases: [],
  username: null,
});

const keyOrNull = (phone: string | null): string | null => (phone === null ? null : phoneKey(phone));

/** In order, as a JSON list. */
const namesAsJson = (changes: SQL | null): SQL =>
  changes === null
    ? sql`'[]'`
    : sql`(SELECT json_group_array(name) FROM (SELECT name FROM (${changes}) ORDER BY step))`;

/** The contact's number if the person wrote from it after the change and it is neither the old nor the new one; else null. */
const numberUsedSince = (ctx: Ctx, { connectionId, before, after, at }: Notice): SQL => sql`(
  SELECT ${c.phone} FROM (${allContactSeqsByPerson(ctx, connectionId, personOf(before))}) b CROSS JOIN contacts c ON ${c.seq} = b.seq
  CROSS JOIN conversations v ON ${v.contactSeq} = ${c.seq} AND ${v.lastInboundAt} > ${at} AND ${v.wroteFromKey} = ${c.phoneKey}
  WHERE ${c.phoneKey} NOT IN (${keyOrNull(before.phone) ?? ""}, ${keyOrNull(after.phone) ?? ""})
  ORDER BY ${v.lastInboundAt} DESC LIMIT 1)`;

const names = fromJson(z.array(z.string()));
const changeRow = z.object({ is_stored: bool, phones: names, user_ids: names, used_since: z.string().nullable() });

/** A notice's change, with the person's later identifiers; null if the notice is stored already. */
export async function findIdentityChange(ctx: Ctx, notice: Notice): Promise<IdentityChange | null> {
  const { connectionId, after, at } = notice;
  const phones = after.phone === null ? null : phonesSince(ctx, after.phone, at);
  const userIds = after.userId === null ? null : userIdsSince(ctx, connectionId, after.userId, at);
  const row = await fetchRow(
    ctx.db,
    statement(
      changeRow,
      sql`
        SELECT ${isStored(notice)} AS is_stored, ${namesAsJson(phones)} AS phones, ${namesAsJson(userIds)} AS user_ids,
          ${after.phone === null ? sql`NULL` : numberUsedSince(ctx, notice)} AS used_since`,
    ),
  );
  if (row === undefined || row.is_stored) return null;
  const { used_since: usedSince, user_ids: ids } = row;
  const numbers = row.phones.length > 1 || usedSince === null ? row.phones : [...row.phones, usedSince];
  return {
    ...notice,
    current: { phone: numbers.at(-1) ?? null, userId: ids.at(-1) ?? null },
    between: { phones: numbers.slice(0, -1), userIds: ids.slice(0, -1) },
  };
}

/** All contacts, as `seq`, with the identifiers before or after the change. Excludes a contact added later with the old number. */
export const contactSeqsOfChange = (
  ctx: Ctx,
  { connectionId, before, current, between, at }: IdentityChange,
): SQL => sql`
  SELECT b.seq AS seq FROM (${allContactSeqsByPerson(ctx, connectionId, personOf(before))}) b
  CROSS JOIN contacts c ON ${c.seq} = b.seq AND ${c.createdAt} <= ${at + OLD_NUMBER_HELD_MS}
  UNION SELECT seq FROM (${allContactSeqsByPerson(ctx, connectionId, { ...personOf(current), aliases: between.userIds })})`;

const optOutKeysOf = (connectionId: string, { phones, userIds }: IdentifierList): SQL =>
  sql.join(
    [
      ...phones.map((phone) => sql`SELECT ${phoneKey(phone)} AS key`),
      ...userIds.map((userId) => sql`SELECT ${optOutKeyOfUserId(connectionId, userId)} AS key`),
      sql`SELECT NULL AS key WHERE FALSE`,
    ],
    sql` UNION ALL `,
  );

const asLists = ({ phone, userId }: Identifiers): IdentifierList => ({
  phones: phone === null ? [] : [phone],
  userIds: userId === null ? [] : [userId],
});

/** Stores the contact's new number and id if `isNew` holds. Fails if `seq` is no longer the only contact of the change. */
function updateContactIdentity(ctx: Ctx, change: IdentityChange, seq: number, isNew: SQL) {
  const { connectionId, before, current, between } = change;
  const { userIds: idsBefore } = asLists(before);
  const formerIds = [...idsBefore, ...between.userIds];
  const replacedIds = current.userId === null ? [] : formerIds.filter((id) => id !== current.userId);
  const key = keyOrNull(current.phone);
  const isIdentity = (id: string) =>
    and(
      eq(contactIdentities.workspaceId, ctx.workspace.id),
      eq(contactIdentities.provider, providerOf(connectionId)),
      eq(contactIdentities.externalId, id),
      eq(contactIdentities.contactSeq, seq),
      isNew,
    );
  return [
    sql`
      SELECT iif(NOT EXISTS (SELECT 1 FROM contacts WHERE ${contact.seq} = ${seq})
        OR EXISTS (SELECT 1 FROM (${contactSeqsOfChange(ctx, change)}) WHERE seq <> ${seq}), json('several'), 0)`,
    ...(key === null
      ? []
      : [
          ctx.db
            .update(contacts)
            .set({ phone: current.phone, phoneKey: key, updatedAt: ctx.now(), revision: sql`${contacts.revision} + 1` })
            .where(and(eq(contacts.seq, seq), sql`${contacts.phoneKey} IS NOT ${key}`, isNew)),
        ]),
    ...upsertContactIdentities(ctx, connectionId, { ...personOf(current), userIds: formerIds }, sql`${seq}`, isNew),
    ...replacedIds.map((id) => ctx.db.update(contactIdentities).set({ replacedAt: change.at }).where(isIdentity(id))),
    ...upsertContactIdentities(ctx, connectionId, personOf(current), sql`${seq}`, isNew),
    // Some providers use the number's digits as an id, which the person then no longer has.
    ...(key === null || before.phone === null
      ? []
      : [ctx.db.delete(contactIdentities).where(isIdentity(before.phone.slice(1)))]),
    // Raw, because the builder has no conditional insert.
    sql`INSERT INTO opt_out_spread (seq) SELECT ${seq} WHERE ${isNew}`,
  ];
}

/**
 * Applies a change once: to the contact `seq`, if any, and always to opt-outs. An opt-out under the old identifiers holds under all
 * later ones, unless the person opted in since.
 */
export async function applyIdentityChange(ctx: Ctx, change: IdentityChange, seq: number | null): Promise<void> {
  const { connectionId, noticeId, before, after, current, between, at } = change;
  const isNew = sql`(NOT ${isStored(change)}
    AND EXISTS (
      SELECT 1 FROM connections WHERE ${connection.id} = ${connectionId} AND ${connection.workspaceId} = ${ctx.workspace.id}))`;
  const fromUserKey = before.userId === null ? sql`NULL` : optOutKeyOfUserId(connectionId, before.userId);
  const currentLists = asLists(current);
  const to = optOutKeysOf(connectionId, {
    phones: [...between.phones, ...currentLists.phones],
    userIds: [...between.userIds, ...currentLists.userIds],
  });
  // An opt-out from the old number long after the change belongs to the next holder.
  const from = { from: optOutKeysOf(connectionId, asLists(before)), until: at + OLD_NUMBER_HELD_MS };
  await transact(ctx.db, {
    snapshot: seq === null ? [] : [snapshotContact(ctx, "contact.identity_changed", { seq }, isNew)],
    optOuts: copyOptOuts(ctx, { ...from, to }, isNew),
    contact: seq === null ? [] : updateContactIdentity(ctx, change, seq, isNew),
    optIns: deleteOutdatedOptOuts(ctx, { keys: to, seq: sql`${seq}`, since: at }, isNew),
    notice: insertSelect(
      numberChanges,
      {
        connectionId,
        providerMessageId: noticeId,
        workspaceId: ctx.workspace.id,
        fromPhoneKey: keyOrNull(before.phone),
        toPhone: after.phone,
        toPhoneKey: keyOrNull(after.phone),
        fromUserKey,
        toUserId: after.userId,
        contactSeq: seq,
        changedAt: at,
      },
      sql`WHERE ${isNew}`,
    ),
    events: appendSnapshotEvents(ctx),
  });
}
