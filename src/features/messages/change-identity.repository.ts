import { sql } from "drizzle-orm";
import * as z from "zod";
import type { IdentityEvent } from "../../channels/channel.ts";
import { batch, type SQL } from "../../db/client.ts";
import type { Ctx } from "../../shared/context.ts";
import { DAY_MS } from "../../shared/durations.ts";
import { phoneKey } from "../../shared/phone.ts";
import { copyOptOuts, identityKeyOf, insertIdentities, seqsOfPerson } from "../contacts/identify-people.repository.ts";

/** Longer than a notice is under way, shorter than until a number that was given up is somebody else's. */
const SAME_DAY_MS = DAY_MS;

export interface Change {
  connectionId: string;
  noticeId: string;
  before: IdentityEvent["before"];
  now: IdentityEvent["now"];
  at: number;
}

const isKnown = ({ connectionId, noticeId }: Change): SQL =>
  sql`EXISTS (SELECT 1 FROM number_changes WHERE connection_id = ${connectionId} AND provider_message_id = ${noticeId})`;

const namesIn = ({ phone, userId }: IdentityEvent["now"]) => ({
  phone,
  userIds: userId === null ? [] : [userId],
  aliases: [],
  username: null,
});

/** Whether the notice counted already; and the number that this one was given up for later, if a notice of that came first. */
export async function readChange(ctx: Ctx, change: Change): Promise<{ isKnown: boolean; phone: string | null }> {
  const { now, at } = change;
  const [row] = await ctx.db.all(sql`
    WITH RECURSIVE later (phone, key, at) AS (
      SELECT ${now.phone}, ${now.phone === null ? null : phoneKey(now.phone)}, ${at}
      UNION ALL SELECT n.to_phone, n.to_phone_key, n.changed_at FROM later CROSS JOIN number_changes n
        ON n.workspace_id = ${ctx.workspace.id} AND n.from_phone_key = later.key AND n.changed_at > later.at)
    SELECT ${isKnown(change)} AS is_known, (SELECT phone FROM later ORDER BY at DESC LIMIT 1) AS phone`);
  const found = z.object({ is_known: z.number(), phone: z.string().nullable() }).parse(row);
  return { isKnown: found.is_known === 1, phone: found.phone };
}

/** Every contact, as `seq`, that the names before and after the change lead to. Who took the old number since is not meant. */
export const seqsOfChange = (ctx: Ctx, { connectionId, before, now, at }: Change): SQL => sql`
  SELECT b.seq AS seq FROM (${seqsOfPerson(ctx, connectionId, namesIn(before))}) b
  CROSS JOIN contacts c ON c.seq = b.seq AND c.created_at <= ${at + SAME_DAY_MS}
  UNION SELECT seq FROM (${seqsOfPerson(ctx, connectionId, namesIn(now))})`;

const keysOf = (connectionId: string, { phone, userId }: IdentityEvent["now"]): SQL =>
  sql.join(
    [
      ...(phone === null ? [] : [sql`SELECT ${phoneKey(phone)} AS key`]),
      ...(userId === null ? [] : [sql`SELECT ${identityKeyOf(connectionId, userId)} AS key`]),
      sql`SELECT NULL AS key WHERE FALSE`,
    ],
    sql` UNION ALL `,
  );

/** The person's contact gets the new number and id, once for a notice. Fails where `seq` is not the only contact meant any more. */
function moveContact(ctx: Ctx, change: Change, seq: number, isNew: SQL): SQL[] {
  const { connectionId, before, now } = change;
  const isReplaced = before.userId !== null && now.userId !== null && before.userId !== now.userId;
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
    ...insertIdentities(ctx, connectionId, namesIn(before), sql`${seq}`, isNew),
    ...(isReplaced
      ? [
          sql`
            UPDATE contact_identities SET replaced_at = ${change.at}
            WHERE ${ofProvider} AND external_id = ${before.userId} AND contact_seq = ${seq} AND ${isNew}`,
        ]
      : []),
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

/** Applies a notice once, to the contact meant, if there is one. An opt-out under the old names holds under the new in any case. */
export async function applyChange(ctx: Ctx, change: Change, seq: number | null): Promise<void> {
  const { connectionId, noticeId, before, now, at } = change;
  const isNew = sql`(NOT ${isKnown(change)}
    AND EXISTS (SELECT 1 FROM connections WHERE id = ${connectionId} AND workspace_id = ${ctx.workspace.id}))`;
  const [fromKey, toKey] = [before.phone, now.phone].map((phone) => (phone === null ? null : phoneKey(phone)));
  await batch(ctx.db, [
    ...copyOptOuts(ctx, keysOf(connectionId, before), keysOf(connectionId, now), isNew),
    ...(seq === null ? [] : moveContact(ctx, change, seq, isNew)),
    sql`
      INSERT INTO number_changes (connection_id, provider_message_id, workspace_id, from_phone_key, to_phone, to_phone_key, contact_seq, changed_at)
      SELECT ${connectionId}, ${noticeId}, ${ctx.workspace.id}, ${fromKey}, ${now.phone}, ${toKey}, ${seq}, ${at} WHERE ${isNew}`,
  ]);
}
