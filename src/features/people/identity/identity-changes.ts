// Raw SQL, because each statement runs only if the notice is new.
import { and, eq, sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import type { IdentityEvent } from "../../../channels/channel-events.ts";
import { columns, insertSelect } from "../../../db/columns.ts";
import { failBatchUnless } from "../../../db/guards.ts";
import { bool } from "../../../db/rows.ts";
import { connections, contactIdentities, contacts, conversations, numberChanges } from "../../../db/schema/index.ts";
import { fetchRow, statement, transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { DAY_MS } from "../../../shared/time/durations.ts";
import { fromJson } from "../../../shared/text/json.ts";
import { phoneKey } from "../../../shared/text/phone.ts";
import { appendSnapshotEvents, snapshotContact } from "../../contacts/contact-snapshots.sql.ts";
import { phonesSince, userIdsSince } from "../../contacts/identity/follow-identity-changes.sql.ts";
import { allContactSeqsByPerson, providerOf } from "../../contacts/identity/identify-people.sql.ts";
import { upsertContactIdentities } from "../../contacts/identity/provider-ids.sql.ts";
import { copyOptOuts, optOutKeyOfUserId } from "../../contacts/opt-outs/opt-outs.sql.ts";
import { deleteOutdatedOptOuts } from "../../contacts/opt-outs/store-choices.sql.ts";
import { retryOnContention } from "../../commits/retry-on-contention.ts";
import { selectMergeCandidates } from "../merge/merge-contact-rows.sql.ts";
import { CONTACTS_CHANGE } from "../../contacts/contacts.conflicts.ts";
import { mergeContacts } from "../merge/merge-contacts.ts";

const c = columns(contacts, "c");
const v = columns(conversations, "v");
const contactColumn = columns(contacts);
const connection = columns(connections);
const noticeColumn = columns(numberChanges);

/**
 * How long the old number still means the same person after a change. The notice of the change arrives within this
 * time, and providers give the number to another person only later.
 */
const OLD_NUMBER_VALID_MS = DAY_MS;

type Identifiers = IdentityEvent["now"];

interface IdentifierList {
  phones: string[];
  userIds: string[];
}

interface Notice {
  connectionId: string;
  noticeId: string;
  before: Identifiers;
  after: Identifiers;
  at: number;
}

interface IdentityChange extends Notice {
  /**
   * The person's identifiers after all known changes. They can be newer than this notice, because the notice of a later
   * change can arrive first.
   */
  current: Identifiers;
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

const namesAsJson = (changes: SQL | null): SQL =>
  changes === null
    ? sql`'[]'`
    : sql`(SELECT json_group_array(name) FROM (SELECT name FROM (${changes}) ORDER BY step))`;

/**
 * The number from which the person has written since the change, if it is neither the old nor the new one. Otherwise
 * NULL.
 */
const numberUsedSince = (ctx: Ctx, { connectionId, before, after, at }: Notice): SQL => sql`(
  SELECT ${c.phone} FROM (${allContactSeqsByPerson(ctx, connectionId, personOf(before))}) b CROSS JOIN contacts c ON ${c.seq} = b.seq
  CROSS JOIN conversations v ON ${v.contactSeq} = ${c.seq} AND ${v.lastInboundAt} > ${at} AND ${v.wroteFromKey} = ${c.phoneKey}
  WHERE ${c.phoneKey} NOT IN (${keyOrNull(before.phone) ?? ""}, ${keyOrNull(after.phone) ?? ""})
  ORDER BY ${v.lastInboundAt} DESC LIMIT 1)`;

const names = fromJson(z.array(z.string()));
const changeRow = z.object({ is_stored: bool, phones: names, user_ids: names, used_since: z.string().nullable() });

async function findIdentityChange(ctx: Ctx, notice: Notice): Promise<IdentityChange | null> {
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

/**
 * Selects the person's contacts. A contact with the old number is left out if it was created more than
 * `OLD_NUMBER_VALID_MS` after the change, because it belongs to the number's next owner.
 */
const contactSeqsOfChange = (ctx: Ctx, { connectionId, before, current, between, at }: IdentityChange): SQL => sql`
  SELECT b.seq AS seq FROM (${allContactSeqsByPerson(ctx, connectionId, personOf(before))}) b
  CROSS JOIN contacts c ON ${c.seq} = b.seq AND ${c.createdAt} <= ${at + OLD_NUMBER_VALID_MS}
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
    failBatchUnless(
      sql`EXISTS (SELECT 1 FROM contacts WHERE ${contactColumn.seq} = ${seq})
        AND NOT EXISTS (SELECT 1 FROM (${contactSeqsOfChange(ctx, change)}) WHERE seq <> ${seq})`,
      "several contacts",
    ),
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
    // Some providers use the digits of a number as an id. The id with the old number's digits is therefore deleted.
    ...(key === null || before.phone === null
      ? []
      : [ctx.db.delete(contactIdentities).where(isIdentity(before.phone.slice(1)))]),
    // Raw SQL, because the query builder does not support conditional inserts.
    sql`INSERT INTO opt_out_spread (seq) SELECT ${seq} WHERE ${isNew}`,
  ];
}

/**
 * Stores a changed number or id. An opt-out under the old identifiers also applies to the new ones, unless the person
 * has opted in since.
 */
async function applyIdentityChange(ctx: Ctx, change: IdentityChange, seq: number | null): Promise<void> {
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
  // An opt-out that the old number sends after `until` is not copied, because it belongs to the number's next owner.
  const from = { from: optOutKeysOf(connectionId, asLists(before)), until: at + OLD_NUMBER_VALID_MS };
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

/**
 * Applies each notice once. Notices can arrive in any order.
 */
export async function changeIdentity(ctx: Ctx, connectionId: string, event: IdentityEvent): Promise<void> {
  const { noticeId, before, now: after } = event;
  // This is the time of the change and not of its arrival. Otherwise a late notice could override a new owner of the
  // number.
  const at = Math.min(event.at, ctx.now());
  const change = await findIdentityChange(ctx, { connectionId, noticeId, before, after, at });
  if (change === null) return;
  const seqs = contactSeqsOfChange(ctx, change);
  await retryOnContention(ctx, { message: CONTACTS_CHANGE }, async () => {
    await mergeContacts(ctx, seqs, change.current.phone);
    const contact = await fetchRow(ctx.db, selectMergeCandidates(ctx, seqs));
    return applyIdentityChange(ctx, change, contact?.seq ?? null);
  });
}
