// A quote or reaction can arrive before the message that it refers to. It then waits in `message_revisions`.
import { sql, type SQL } from "drizzle-orm";
import { columns, insertSelect } from "../../../db/columns.ts";
import { connections, contactIdentities, contacts, messageRevisions, messages } from "../../../db/schema/index.ts";
import type { Ctx } from "../../../shared/context.ts";
import { currentContactSeq } from "../../contacts/identity/identify-people.sql.ts";
import { appendEventsOfWorkspaces, changedFields, event } from "../../events/append-events.sql.ts";
import { isHiddenReaction } from "../messages.sql.ts";

const m = columns(messages, "m");
const c = columns(contacts, "c");
const i = columns(contactIdentities, "i");
const k = columns(connections, "k");
const q = columns(messages, "q");
const r = columns(messageRevisions, "r");

export interface Reference {
  connectionId: string;
  /** The key of the referenced message is one of these, but we do not know which. */
  keys: string[];
  referringKey: string;
  kind: "quote" | "reaction";
  fromContact: boolean;
  address: string;
  phoneKey: string | null;
  emoji: string | null;
  at: number;
}

export const insertReference = (
  ctx: Ctx,
  { connectionId, keys, referringKey, kind, fromContact, address, phoneKey, emoji, at }: Reference,
  condition: SQL,
): SQL =>
  insertSelect(
    messageRevisions,
    {
      connectionId: k.id,
      providerKey: sql`e.value`,
      revisionId: referringKey,
      workspaceId: k.workspaceId,
      kind,
      fromContact: fromContact ? 1 : 0,
      address: fromContact ? address : null,
      phoneKey: fromContact ? phoneKey : null,
      body: emoji,
      at,
      createdAt: ctx.now(),
    },
    sql`
      FROM connections k CROSS JOIN json_each(${JSON.stringify(keys)}) e
      WHERE ${k.id} = ${connectionId} AND ${k.workspaceId} = ${ctx.workspace.id} AND ${condition}
      ON CONFLICT DO NOTHING`,
  );

const matchedReferences = (connectionId: string, keys: string[]): SQL => sql`
  json_each(${JSON.stringify(keys)}) e
  CROSS JOIN message_revisions r ON ${r.connectionId} = ${connectionId} AND ${r.providerKey} = e.value AND ${r.kind} IN ('quote', 'reaction')
  CROSS JOIN messages m ON ${m.connectionId} = ${r.connectionId} AND ${m.providerKey} = ${r.providerKey} AND ${m.workspaceId} = ${r.workspaceId}
  CROSS JOIN contacts c ON ${c.seq} = ${currentContactSeq(m.contactSeq)}
  WHERE NOT ${isHiddenReaction(m)} AND (NOT ${r.fromContact} OR ${m.address} = ${r.address} OR ${c.phoneKey} = ${r.phoneKey}
    OR EXISTS (SELECT 1 FROM contact_identities i WHERE ${i.contactSeq} = ${c.seq} AND ${i.externalId} = ${r.address}))`;

const SIDES = [
  { fromContact: sql`TRUE`, emoji: sql`contact_reaction`, at: sql`contact_reaction_at` },
  { fromContact: sql`FALSE`, emoji: sql`own_reaction`, at: sql`own_reaction_at` },
];

/** A `message.reaction` event contains the emoji of the person and of the workspace, before and after. */
const reactionChanges = changedFields({
  reaction: [sql`nullif(contact_reaction, '')`, sql`nullif(contact_reaction_after, '')`],
  own_reaction: [sql`nullif(own_reaction, '')`, sql`nullif(own_reaction_after, '')`],
});

export const applyReferences = (connectionId: string, keys: string[], now: number): SQL[] => {
  const matched = matchedReferences(connectionId, keys);
  const reacted = sql`SELECT ${m.id} FROM ${matched} AND ${r.kind} = 'reaction'`;
  const latest = (column: SQL, side: SQL) => sql`(
    SELECT r.${column} FROM ${matched} AND ${m.id} = messages.id AND ${r.kind} = 'reaction' AND ${r.fromContact} = ${side}
    ORDER BY ${r.at} DESC, ${r.createdAt} DESC, ${r.revisionId} DESC LIMIT 1)`;
  const after = SIDES.map(({ fromContact, emoji, at }) => {
    const isNewer = sql`coalesce(${latest(sql`at`, fromContact)}, -1) >= coalesce(${at}, 0)`;
    return {
      emoji,
      at,
      newEmoji: sql`iif(${isNewer}, ${latest(sql`body`, fromContact)}, ${emoji})`,
      newAt: sql`iif(${isNewer}, ${latest(sql`at`, fromContact)}, ${at})`,
    };
  });
  const [contact, own] = after;
  return [
    appendEventsOfWorkspaces(
      sql`
        SELECT workspace_id, 'provider' AS actor_type, connection_id AS actor_id, type, object_id, changes FROM (
          SELECT workspace_id, connection_id, ${event("message.reaction", sql`id`, reactionChanges)} FROM (
            SELECT id, workspace_id, connection_id, contact_reaction, own_reaction,
              ${contact?.newEmoji} AS contact_reaction_after, ${own?.newEmoji} AS own_reaction_after
            FROM messages WHERE id IN (${reacted}) LIMIT -1) LIMIT -1)
        WHERE changes <> '{}'`,
      now,
    ),
    ...after.map(
      ({ emoji, at, newEmoji, newAt }) => sql`
        UPDATE messages SET (${emoji}, ${at}) = (SELECT ${newEmoji}, ${newAt}) WHERE id IN (${reacted})`,
    ),
    sql`
      UPDATE messages SET reply_to = (
        SELECT ${m.id} FROM ${matched} AND ${r.revisionId} = messages.provider_key LIMIT 1), reply_to_key = NULL
      WHERE id IN (SELECT ${q.id} FROM (SELECT ${r.revisionId} AS referring_key, ${m.contactSeq} AS contact_seq FROM ${matched}) x
        CROSS JOIN messages q ON ${q.connectionId} = ${connectionId} AND ${q.providerKey} = x.referring_key AND ${q.replyTo} IS NULL)`,
    sql`
      DELETE FROM message_revisions WHERE (connection_id, provider_key, revision_id) IN (
        SELECT ${r.connectionId}, ${r.providerKey}, ${r.revisionId} FROM ${matched})`,
  ];
};
