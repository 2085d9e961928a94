import { and, eq, sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns, type ColumnsOf, insertSelect } from "../../../db/columns.ts";
import {
  connections,
  contactIdentities,
  contacts,
  messageRevisions,
  messageVersions,
  messages,
} from "../../../db/schema/index.ts";
import { fetchRows, statement, transact } from "../../../db/statement.ts";
import type { Ctx, Database } from "../../../shared/context.ts";
import { currentContactSeq } from "../../contacts/identity/identify-people.sql.ts";
import { appendEventsOfWorkspaces, event } from "../../events/append-events.sql.ts";
import { updateRevisedLastMessages } from "../../conversations/upsert-conversations.sql.ts";
import { isHiddenReaction } from "../messages.sql.ts";
import { applyReferences } from "./references.sql.ts";

const m = columns(messages, "m");
const stored = columns(messages, "messages");
const c = columns(contacts, "c");
const i = columns(contactIdentities, "i");
const k = columns(connections, "k");
const r = columns(messageRevisions, "r");
const w = columns(messageVersions, "w");

const REVOKED_BODY = "[deleted message]";

export interface Revision {
  connectionId: string;
  providerKey: string;
  revisionId: string;
  kind: "edit" | "revoke";
  fromContact: boolean;
  address: string | null;
  phoneKey: string | null;
  body: string | null;
  at: number;
}

export const isNewRevision = ({ connectionId, providerKey, revisionId, body, at }: Revision): SQL => sql`(
  NOT EXISTS (SELECT 1 FROM message_revisions
    WHERE connection_id = ${connectionId} AND provider_key = ${providerKey} AND revision_id = ${revisionId})
  AND NOT EXISTS (SELECT 1 FROM messages m CROSS JOIN message_versions w ON ${w.messageId} = ${m.id}
    WHERE ${m.connectionId} = ${connectionId} AND ${m.providerKey} = ${providerKey}
      AND ${w.writtenAt} = max(${at}, ${m.createdAt}) AND (${w.body} = ${body} OR ${m.type} IS NOT NULL AND substr(${w.body}, -length(${body})) = ${body})))`;

export const insertRevision = (ctx: Ctx, { fromContact, ...revision }: Revision): SQL =>
  insertSelect(
    messageRevisions,
    { ...revision, fromContact: fromContact ? 1 : 0, workspaceId: k.workspaceId, createdAt: ctx.now() },
    sql`
      FROM connections k WHERE ${k.id} = ${revision.connectionId} AND ${k.workspaceId} = ${ctx.workspace.id}
      ON CONFLICT DO NOTHING`,
  );

/**
 * Joins revisions with their messages `m`. Only the author of a message can revise it. The SQL ends in a WHERE clause,
 * so callers can append `AND …`.
 */
const matchedRevisions = (connectionId: string, providerKey: string): SQL => sql`
  (SELECT * FROM message_revisions WHERE ${hasKey(connectionId, providerKey)}) r
  CROSS JOIN messages m ON ${m.connectionId} = ${r.connectionId} AND ${m.providerKey} = ${r.providerKey}
    AND ${m.workspaceId} = ${r.workspaceId} AND ${m.fromContact} = ${r.fromContact}
  CROSS JOIN contacts c ON ${c.seq} = ${currentContactSeq(m.contactSeq)}
  WHERE ${r.kind} IN ('edit', 'revoke') AND (NOT ${r.fromContact} OR ${m.address} = ${r.address} OR ${c.phoneKey} = ${r.phoneKey}
    OR EXISTS (SELECT 1 FROM contact_identities i WHERE ${i.contactSeq} = ${c.seq} AND ${i.externalId} = ${r.address}))`;

const hasKey = (connectionId: string, providerKey: string): SQL =>
  sql`connection_id = ${connectionId} AND provider_key = ${providerKey}`;

/** The body of a file with a caption has a prefix, for example `[document] menu.pdf Our menu` or `[image] Hello`. */
const isCaptioned = ({ type, content }: ColumnsOf<typeof messages, "type" | "content">): SQL =>
  sql`(${type} IN ('image', 'video', 'document') AND ${content} IS NOT NULL)`;

const hasPrefix = (text: SQL, prefix: SQL): SQL => sql`substr(${text}, 1, length(${prefix})) = ${prefix}`;

/**
 * Some providers send only the caption of an edited file, without the prefix of the body. This adds the prefix again.
 */
const EDITED_BODY = sql`iif(${isCaptioned(m)} AND NOT ${hasPrefix(r.body, sql`('[' || ${m.type} || ']')`)},
  '[' || ${m.type} || '] ' || coalesce(${m.content} ->> '$.filename' || ' ', '') || ${r.body}, ${r.body})`;

const captionIn = (body: SQL): SQL => {
  const label = sql`('[' || type || '] ')`;
  const name = sql`(${label} || coalesce(content ->> '$.filename' || ' ', ''))`;
  return sql`(SELECT trim(CASE
    WHEN ${hasPrefix(sql`b || ' '`, name)} THEN substr(b, length(${name}) + 1)
    WHEN ${hasPrefix(sql`b || ' '`, label)} THEN substr(b, length(${label}) + 1) ELSE b END) FROM (SELECT ${body} AS b LIMIT 1))`;
};

const latestVersion = sql`(SELECT body FROM message_versions w WHERE ${w.messageId} = messages.id ORDER BY written_at DESC, id DESC LIMIT 1)`;

/**
 * Revisions can arrive in any order and repeatedly. All texts are stored as versions, and the message gets the latest
 * one.
 */
const applyRevisionsTo = (connectionId: string, providerKey: string, now: number): SQL[] => {
  const matched = matchedRevisions(connectionId, providerKey);
  const latest = (kind: Revision["kind"]) =>
    sql`(SELECT max(max(${r.at}, ${m.createdAt})) FROM ${matched} AND ${m.id} = messages.id AND ${r.kind} = ${kind})`;
  const revokedAt = sql`coalesce(revoked_at, ${latest("revoke")})`;
  const newBody = sql`iif(${revokedAt} IS NULL, ${latestVersion}, ${REVOKED_BODY})`;
  return [
    sql`
      INSERT INTO message_versions (workspace_id, message_id, written_at, body)
      SELECT DISTINCT ${m.workspaceId}, ${m.id}, ${m.createdAt}, ${m.body} FROM ${matched}
        AND NOT EXISTS (SELECT 1 FROM message_versions w WHERE ${w.messageId} = ${m.id})`,
    sql`
      INSERT INTO message_versions (workspace_id, message_id, written_at, body)
      SELECT ${m.workspaceId}, ${m.id}, max(${r.at}, ${m.createdAt}) AS written_at, ${EDITED_BODY} FROM ${matched} AND ${r.kind} = 'edit'
        AND NOT EXISTS (SELECT 1 FROM message_versions w
          WHERE ${w.messageId} = ${m.id} AND ${w.writtenAt} = max(${r.at}, ${m.createdAt}) AND ${w.body} = ${EDITED_BODY})
      ORDER BY written_at`,
    appendEventsOfWorkspaces(
      sql`
        SELECT workspace_id, 'provider' AS actor_type, connection_id AS actor_id,
          ${event(sql`iif(is_revoked, 'message.revoked', 'message.edited')`, sql`id`, sql`json_object('body', json_array(body, new_body))`)}
        FROM (SELECT id, workspace_id, connection_id, body, ${newBody} AS new_body, ${revokedAt} IS NOT NULL AS is_revoked
          FROM messages WHERE id IN (SELECT ${m.id} FROM ${matched}) AND NOT ${isHiddenReaction(stored)} LIMIT -1)
        WHERE body <> new_body`,
      now,
    ),
    sql`
      UPDATE messages SET
        edited_at = nullif(max(coalesce(edited_at, 0), coalesce(${latest("edit")}, 0)), 0),
        revoked_at = ${revokedAt},
        body = ${newBody},
        content = iif(${isCaptioned(stored)} AND ${latest("edit")} IS NOT NULL,
          json_patch(content, json_object('caption', nullif(${captionIn(latestVersion)}, ''))), content)
      WHERE id IN (SELECT ${m.id} FROM ${matched})`,
    updateRevisedLastMessages(sql`SELECT ${m.id} AS id FROM ${matched}`),
    sql`
      DELETE FROM message_revisions WHERE (connection_id, provider_key, revision_id) IN (
        SELECT ${r.connectionId}, ${r.providerKey}, ${r.revisionId} FROM ${matched})`,
  ];
};

export async function applyRevisions(
  ctx: Ctx,
  connectionId: string,
  providerKey: string,
  { before = [], after = [] }: { before?: SQL[]; after?: SQL[] } = {},
): Promise<void> {
  const now = ctx.now();
  await transact(ctx.db, {
    before,
    revisions: applyRevisionsTo(connectionId, providerKey, now),
    references: applyReferences(connectionId, [providerKey], now),
    after,
  });
}

export const selectWaitingRevision = (ctx: Ctx, connectionId: string, providerKey: string) =>
  ctx.db
    .select({ id: messageRevisions.revisionId })
    .from(messageRevisions)
    .where(and(eq(messageRevisions.connectionId, connectionId), eq(messageRevisions.providerKey, providerKey)))
    .limit(1);

const messageKeyRow = z.object({ connection_id: z.string(), provider_key: z.string() });

/** Applies revisions and references that arrived before their message, the newest first. */
export async function applyWaitingRevisions(db: Database, limit: number, now: number): Promise<void> {
  const keys = await fetchRows(
    db,
    statement(
      messageKeyRow,
      sql`
        SELECT DISTINCT ${r.connectionId}, ${r.providerKey}
        FROM (SELECT * FROM message_revisions WHERE created_at > 0 ORDER BY created_at DESC LIMIT ${limit}) r
        CROSS JOIN messages m ON ${m.connectionId} = ${r.connectionId} AND ${m.providerKey} = ${r.providerKey}
          AND ${m.workspaceId} = ${r.workspaceId} AND (${m.fromContact} = ${r.fromContact} OR ${r.kind} IN ('quote', 'reaction'))`,
    ),
  );
  for (const { connection_id, provider_key } of keys) {
    await transact(db, {
      revisions: applyRevisionsTo(connection_id, provider_key, now),
      references: applyReferences(connection_id, [provider_key], now),
    });
  }
}
