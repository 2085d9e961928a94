import { sql } from "drizzle-orm";
import * as z from "zod";
import { batch } from "../../../db/client.ts";
import type { SQL } from "../../../db/statement.ts";
import { deleteInChunks } from "../../../db/delete-in-chunks.ts";
import type { Ctx, Database } from "../../../shared/context.ts";
import { seqNow } from "../../contacts/identify-people.sql.ts";
import { noteRevised } from "../../conversations/conversations.sql.ts";

/** What a message says that was taken back. */
const REVOKED_BODY = "[deleted message]";

/** A change of the message with this key, as it is kept until it is applied. */
export interface Revision {
  connectionId: string;
  providerKey: string;
  revisionId: string;
  kind: "edit" | "revoke";
  fromContact: boolean;
  address: string | null;
  phoneKey: string | null;
  body: string | null;
  /** ms since the epoch. */
  at: number;
}

/** True in SQL unless the change has been applied to a message, or waits for it. */
export const isNews = ({ connectionId, providerKey, revisionId, body, at }: Revision): SQL => sql`(
  NOT EXISTS (SELECT 1 FROM message_revisions
    WHERE connection_id = ${connectionId} AND provider_key = ${providerKey} AND revision_id = ${revisionId})
  AND NOT EXISTS (SELECT 1 FROM messages m CROSS JOIN message_versions w ON w.message_id = m.id
    WHERE m.connection_id = ${connectionId} AND m.provider_key = ${providerKey}
      AND w.written_at = max(${at}, m.created_at) AND w.body = ${body}))`;

/** Keeps a change, once, for a connection of the workspace. */
export const keep = (ctx: Ctx, revision: Revision): SQL => sql`
  INSERT INTO message_revisions (connection_id, provider_key, revision_id, workspace_id, kind, from_contact, address, phone_key, body, at, created_at)
  SELECT k.id, ${revision.providerKey}, ${revision.revisionId}, k.workspace_id, ${revision.kind}, ${revision.fromContact ? 1 : 0},
    ${revision.address}, ${revision.phoneKey}, ${revision.body}, ${revision.at}, ${ctx.now()}
  FROM connections k WHERE k.id = ${revision.connectionId} AND k.workspace_id = ${ctx.workspace.id}
  ON CONFLICT DO NOTHING`;

/** Changes `r` that `scope` selects, beside the message `m` that each names, where they are its author's. */
const matched = (scope: SQL): SQL => sql`
  (SELECT * FROM message_revisions WHERE ${scope}) r
  CROSS JOIN messages m ON m.connection_id = r.connection_id AND m.provider_key = r.provider_key
    AND m.workspace_id = r.workspace_id AND m.from_contact = r.from_contact
  CROSS JOIN contacts c ON c.seq = ${seqNow(sql`m.contact_seq`)}
  WHERE (NOT r.from_contact OR m.address = r.address OR c.phone_key = r.phone_key
    OR EXISTS (SELECT 1 FROM contact_identities i WHERE i.contact_seq = c.seq AND i.external_id = r.address))`;

const toldOf = (kind: Revision["kind"], scope: SQL): SQL =>
  sql`(SELECT max(max(r.at, m.created_at)) FROM ${matched(scope)} AND m.id = messages.id AND r.kind = ${kind})`;

const latest = sql`(SELECT body FROM message_versions w WHERE w.message_id = messages.id ORDER BY written_at DESC, id DESC LIMIT 1)`;

/**
 * Applies changes whose message is there, in any order and any number of times, and forgets them. What a message has said is kept,
 * the latest last; a message that was taken back says nothing any more.
 */
const apply = (scope: SQL): SQL[] => [
  sql`
    INSERT INTO message_versions (workspace_id, message_id, written_at, body)
    SELECT DISTINCT m.workspace_id, m.id, m.created_at, m.body FROM ${matched(scope)}
      AND NOT EXISTS (SELECT 1 FROM message_versions w WHERE w.message_id = m.id)`,
  sql`
    INSERT INTO message_versions (workspace_id, message_id, written_at, body)
    SELECT m.workspace_id, m.id, max(r.at, m.created_at) AS written_at, r.body FROM ${matched(scope)} AND r.kind = 'edit'
      AND NOT EXISTS (SELECT 1 FROM message_versions w
        WHERE w.message_id = m.id AND w.written_at = max(r.at, m.created_at) AND w.body = r.body)
    ORDER BY written_at`,
  sql`
    UPDATE messages SET
      edited_at = nullif(max(coalesce(edited_at, 0), coalesce(${toldOf("edit", scope)}, 0)), 0),
      revoked_at = coalesce(revoked_at, ${toldOf("revoke", scope)}),
      body = iif(coalesce(revoked_at, ${toldOf("revoke", scope)}) IS NULL, ${latest}, ${REVOKED_BODY})
    WHERE id IN (SELECT m.id FROM ${matched(scope)})`,
  noteRevised(sql`SELECT m.id AS id FROM ${matched(scope)}`),
  sql`
    DELETE FROM message_revisions WHERE (connection_id, provider_key, revision_id) IN (
      SELECT r.connection_id, r.provider_key, r.revision_id FROM ${matched(scope)})`,
];

const ofMessage = (connectionId: string, providerKey: string): SQL =>
  sql`connection_id = ${connectionId} AND provider_key = ${providerKey}`;

/** Runs `before`, and applies the changes of one message. */
export const applyTo = (ctx: Ctx, connectionId: string, providerKey: string, before: SQL[] = []): Promise<unknown> =>
  batch(ctx.db, [...before, ...apply(ofMessage(connectionId, providerKey))]);

/** Rows where changes of the message wait. */
export const waitingFor = (connectionId: string, providerKey: string): SQL =>
  sql`SELECT 1 AS waits FROM message_revisions WHERE ${ofMessage(connectionId, providerKey)} LIMIT 1`;

const found = z.array(z.object({ connection_id: z.string(), provider_key: z.string() }));

/** Applies the changes whose message has come by another way; at most `limit` of those that wait, from the newest. */
export async function applyAll(db: Database, limit: number): Promise<void> {
  const rows = found.parse(
    await db.all(sql`
      SELECT DISTINCT r.connection_id, r.provider_key
      FROM (SELECT * FROM message_revisions WHERE created_at > 0 ORDER BY created_at DESC LIMIT ${limit}) r
      CROSS JOIN messages m ON m.connection_id = r.connection_id AND m.provider_key = r.provider_key
        AND m.workspace_id = r.workspace_id AND m.from_contact = r.from_contact`),
  );
  for (const { connection_id, provider_key } of rows) await batch(db, apply(ofMessage(connection_id, provider_key)));
}

/** Drops changes of messages that never came. */
export const deleteOld = (db: Database, before: number): Promise<void> =>
  deleteInChunks(db, {
    table: "message_revisions",
    key: "connection_id, provider_key, revision_id",
    condition: sql`created_at < ${before}`,
  });
