import { sql } from "drizzle-orm";
import * as z from "zod";
import type { IdentityEvent } from "../../../channels/channel.ts";
import { batch } from "../../../db/client.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { DAY_MS } from "../../../shared/durations.ts";
import { fromJson } from "../../../shared/json.ts";
import { phoneKey } from "../../../shared/phone.ts";
import { followingPhones, followingUserIds, liftOlderOptOuts } from "../../contacts/follow-changes.sql.ts";
import { copyOptOuts, identityKeyOf, insertIdentities, seqsOfPerson } from "../../contacts/identify-people.sql.ts";

/** Longer than a notice is under way, shorter than until a number that was given up is somebody else's. */
const SAME_DAY_MS = DAY_MS;

type Names = IdentityEvent["now"];

export interface Change {
  connectionId: string;
  noticeId: string;
  before: Names;
  /** As the notice tells. */
  told: Names;
  /** What the person is known by now: later changes may have been told first. */
  now: Names;
  /** What the person was known by between `before` and `now`. */
  between: { phones: string[]; userIds: string[] };
  at: number;
}

type Notice = Omit<Change, "now" | "between">;

const isKnown = ({ connectionId, noticeId }: Notice): SQL =>
  sql`EXISTS (SELECT 1 FROM number_changes WHERE connection_id = ${connectionId} AND provider_message_id = ${noticeId})`;

const namesIn = ({ phone, userId }: Names) => ({
  phone,
  userIds: userId === null ? [] : [userId],
  aliases: [],
  username: null,
});

const names = z.array(z.string());
const found = z.object({
  is_known: z.number(),
  phones: fromJson(names),
  user_ids: fromJson(names),
  wrote_from: z.string().nullable(),
});

const namesOfSteps = (steps: SQL | null): SQL =>
  steps === null ? sql`'[]'` : sql`(SELECT json_group_array(name) FROM (SELECT name FROM (${steps}) ORDER BY step))`;

/** Another number that the person wrote from after the change, which is the one that their contact has. */
const wroteFromSince = (ctx: Ctx, { connectionId, before, told, at }: Notice): SQL => sql`(
  SELECT c.phone FROM (${seqsOfPerson(ctx, connectionId, namesIn(before))}) b CROSS JOIN contacts c ON c.seq = b.seq
  CROSS JOIN conversations v ON v.contact_seq = c.seq AND v.last_inbound_at > ${at} AND v.wrote_from_key = c.phone_key
  WHERE c.phone_key NOT IN (${keyOf(before.phone)}, ${keyOf(told.phone)}) ORDER BY v.last_inbound_at DESC LIMIT 1)`;

const keyOf = (phone: string | null): string => (phone === null ? "" : phoneKey(phone));

/** The notice beside what is known of the person since; null where it counted already. */
export async function readChange(ctx: Ctx, notice: Notice): Promise<Change | null> {
  const { connectionId, told, at } = notice;
  const phones = told.phone === null ? null : followingPhones(ctx, told.phone, at);
  const ids = told.userId === null ? null : followingUserIds(ctx, connectionId, told.userId, at);
  const [row] = await ctx.db.all(sql`
    SELECT ${isKnown(notice)} AS is_known, ${namesOfSteps(phones)} AS phones, ${namesOfSteps(ids)} AS user_ids,
      ${told.phone === null ? sql`NULL` : wroteFromSince(ctx, notice)} AS wrote_from`);
  const { is_known, phones: had, user_ids: userIds, wrote_from } = found.parse(row);
  if (is_known === 1) return null;
  const numbers = had.length > 1 || wrote_from === null ? had : [...had, wrote_from];
  const now = { phone: numbers.at(-1) ?? null, userId: userIds.at(-1) ?? null };
  return { ...notice, now, between: { phones: numbers.slice(0, -1), userIds: userIds.slice(0, -1) } };
}

/** Every contact, as `seq`, that the names before and after the change lead to. Who took the old number since is not meant. */
export const seqsOfChange = (ctx: Ctx, { connectionId, before, now, between, at }: Change): SQL => sql`
  SELECT b.seq AS seq FROM (${seqsOfPerson(ctx, connectionId, namesIn(before))}) b
  CROSS JOIN contacts c ON c.seq = b.seq AND c.created_at <= ${at + SAME_DAY_MS}
  UNION SELECT seq FROM (${seqsOfPerson(ctx, connectionId, { ...namesIn(now), aliases: between.userIds })})`;

const keysOf = (connectionId: string, { phones, userIds }: Change["between"]): SQL =>
  sql.join(
    [
      ...phones.map((phone) => sql`SELECT ${phoneKey(phone)} AS key`),
      ...userIds.map((userId) => sql`SELECT ${identityKeyOf(connectionId, userId)} AS key`),
      sql`SELECT NULL AS key WHERE FALSE`,
    ],
    sql` UNION ALL `,
  );

const listed = ({ phone, userId }: Names): Change["between"] => ({
  phones: phone === null ? [] : [phone],
  userIds: userId === null ? [] : [userId],
});

/** The person's contact gets the new number and id, once for a notice. Fails where `seq` is not the only contact meant any more. */
function moveContact(ctx: Ctx, change: Change, seq: number, isNew: SQL): SQL[] {
  const { connectionId, before, now, between } = change;
  const { userIds: idsBefore } = listed(before);
  const replaced = now.userId === null ? [] : [...idsBefore, ...between.userIds].filter((id) => id !== now.userId);
  const key = now.phone === null ? null : phoneKey(now.phone);
  const ofProvider = sql`workspace_id = ${ctx.workspace.id} AND provider = (SELECT provider FROM connections WHERE id = ${connectionId})`;
  return [
    sql`
      SELECT iif(NOT EXISTS (SELECT 1 FROM contacts WHERE seq = ${seq})
        OR EXISTS (SELECT 1 FROM (${seqsOfChange(ctx, change)}) WHERE seq <> ${seq}), json('several'), 0)`,
    ...(key === null
      ? []
      : [
          sql`
            UPDATE contacts SET phone = ${now.phone}, phone_key = ${key}, updated_at = ${ctx.now()}
            WHERE seq = ${seq} AND phone_key IS NOT ${key} AND ${isNew}`,
        ]),
    ...insertIdentities(
      ctx,
      connectionId,
      { ...namesIn(now), userIds: [...idsBefore, ...between.userIds] },
      sql`${seq}`,
      isNew,
    ),
    ...replaced.map(
      (id) => sql`
        UPDATE contact_identities SET replaced_at = ${change.at}
        WHERE ${ofProvider} AND external_id = ${id} AND contact_seq = ${seq} AND ${isNew}`,
    ),
    ...insertIdentities(ctx, connectionId, namesIn(now), sql`${seq}`, isNew),
    // An account id that was the number is not the person's any more.
    ...(key === null || before.phone === null
      ? []
      : [
          sql`
            DELETE FROM contact_identities
            WHERE ${ofProvider} AND external_id = ${before.phone.slice(1)} AND contact_seq = ${seq} AND ${isNew}`,
        ]),
    sql`INSERT INTO opt_out_spread (seq) SELECT ${seq} WHERE ${isNew}`,
  ];
}

/**
 * Applies a notice once, to the contact meant, if there is one. An opt-out under the old names holds under every name that the
 * person has had since in any case, unless they have asked for everything again.
 */
export async function applyChange(ctx: Ctx, change: Change, seq: number | null): Promise<void> {
  const { connectionId, noticeId, before, told, now, between, at } = change;
  const isNew = sql`(NOT ${isKnown(change)}
    AND EXISTS (SELECT 1 FROM connections WHERE id = ${connectionId} AND workspace_id = ${ctx.workspace.id}))`;
  const [fromKey, toKey] = [before.phone, told.phone].map((phone) => (phone === null ? null : phoneKey(phone)));
  const fromUserKey = before.userId === null ? sql`NULL` : identityKeyOf(connectionId, before.userId);
  const since = listed(now);
  const to = keysOf(connectionId, {
    phones: [...between.phones, ...since.phones],
    userIds: [...between.userIds, ...since.userIds],
  });
  // An opt-out that was given from the old number long after is of somebody else.
  const from = { from: keysOf(connectionId, listed(before)), until: at + SAME_DAY_MS };
  await batch(ctx.db, [
    ...copyOptOuts(ctx, { ...from, to }, isNew),
    ...(seq === null ? [] : moveContact(ctx, change, seq, isNew)),
    ...liftOlderOptOuts(ctx, { keys: to, seq: sql`${seq}`, since: at }, isNew),
    sql`
      INSERT INTO number_changes (connection_id, provider_message_id, workspace_id, from_phone_key, to_phone, to_phone_key,
        from_user_key, to_user_id, contact_seq, changed_at)
      SELECT ${connectionId}, ${noticeId}, ${ctx.workspace.id}, ${fromKey}, ${told.phone}, ${toKey}, ${fromUserKey}, ${told.userId},
        ${seq}, ${at} WHERE ${isNew}`,
  ]);
}
