import * as z from "zod";
import { sql } from "../../db/sql.ts";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/json.ts";
import { appendEvents, changeEvents, changedFields, event, newFields } from "../events/append-events.sql.ts";
import { cannedReplyRecord } from "./canned-replies.schemas.ts";

const inWorkspace = (ctx: Ctx): SQL => sql`workspace_id = ${ctx.workspace.id}`;
const isReply = (ctx: Ctx, id: string | SQL): SQL => sql`id = ${id} AND ${inWorkspace(ctx)}`;

/** Earlier versions stored the slash that people sent before it. */
const shownShortcut = sql`ltrim(shortcut, '/')`;

const replyJson = sql`json_object('id', id, 'shortcut', ${shownShortcut}, 'body', body, 'created_at', created_at,
  'updated_at', updated_at, 'revision', revision)`;

/** One row with the canned reply as JSON in `result`, where `condition` holds; or none. */
export const cannedReplyAsJson = (ctx: Ctx, id: string | SQL, condition = sql`TRUE`): SQL =>
  sql`SELECT ${replyJson} AS result FROM canned_replies WHERE ${isReply(ctx, id)} AND ${condition}`;

const replyRow = z.object({ result: fromJson(cannedReplyRecord) });

export const selectCannedReply = (ctx: Ctx, id: string): Statement<z.infer<typeof replyRow>> =>
  statement(replyRow, cannedReplyAsJson(ctx, id));

/** Newest first, one row beyond `limit`. */
export const selectCannedReplies = (
  ctx: Ctx,
  limit: number,
  before: string | undefined,
): Statement<z.infer<typeof replyRow>> =>
  statement(
    replyRow,
    sql`
      SELECT ${replyJson} AS result FROM canned_replies
      WHERE ${inWorkspace(ctx)} ${before === undefined ? sql`` : sql`AND id < ${before}`}
      ORDER BY id DESC LIMIT ${limit + 1}`,
  );

/** The revision of a canned reply; no row where there is none. */
export const cannedReplyRevision = (ctx: Ctx, id: string): SQL =>
  sql`SELECT revision FROM canned_replies WHERE ${isReply(ctx, id)}`;

/** The other canned reply with this key. */
const keyHolder = (ctx: Ctx, id: string, key: string): SQL =>
  sql`SELECT id FROM canned_replies WHERE ${inWorkspace(ctx)} AND shortcut_key = ${key} AND id <> ${id}`;

/** True in SQL while no other canned reply has the key; of a change that leaves the shortcut alone, always. */
export const isShortcutFree = (ctx: Ctx, id: string, key: string | null): SQL =>
  key === null ? sql`TRUE` : sql`NOT EXISTS (${keyHolder(ctx, id, key)})`;

const holderRow = z.object({ id: z.string() });

export const selectShortcutHolder = (ctx: Ctx, id: string, key: string | null): Statement<z.infer<typeof holderRow>> =>
  statement(holderRow, keyHolder(ctx, id, key ?? ""));

/** Adds a canned reply, unless one has the key. */
export const insertCannedReply = (
  ctx: Ctx,
  id: string,
  { shortcut, key, body }: { shortcut: string; key: string; body: string },
  guard: SQL,
): SQL[] => [
  sql`
    INSERT INTO canned_replies (id, workspace_id, shortcut, shortcut_key, body, created_at, updated_at)
    SELECT ${id}, ${ctx.workspace.id}, ${shortcut}, ${key}, ${body}, ${ctx.now()}, ${ctx.now()}
    WHERE ${guard} ON CONFLICT DO NOTHING`,
  appendEvents(
    ctx,
    sql`
      SELECT ${event("canned_reply.created", sql`id`, changedFields(newFields(["shortcut", "body"])))}
      FROM canned_replies WHERE ${isReply(ctx, id)}`,
  ),
];

/** Changes what is not null, unless another canned reply has the key. */
export function updateCannedReplyRow(
  ctx: Ctx,
  id: string,
  { shortcut, key, body }: { shortcut: string | null; key: string | null; body: string | null },
  guard: SQL,
): SQL[] {
  const [newShortcut, newBody] = [sql`coalesce(${shortcut}, shortcut)`, sql`coalesce(${body}, body)`];
  const isChanged = sql`${isReply(ctx, id)} AND (shortcut, body) IS NOT (${newShortcut}, ${newBody})
    AND ${isShortcutFree(ctx, id, key)} AND ${guard}`;
  const fields = { shortcut: [sql`shortcut`, newShortcut], body: [sql`body`, newBody] } as const;
  const from = sql`FROM canned_replies WHERE ${isChanged}`;
  return [
    appendEvents(ctx, changeEvents("canned_reply.updated", { objectId: sql`id`, fields, from })),
    sql`
      UPDATE canned_replies SET shortcut = ${newShortcut}, shortcut_key = coalesce(${key}, shortcut_key), body = ${newBody},
        updated_at = ${ctx.now()}, revision = revision + 1
      WHERE ${isChanged}`,
  ];
}

export const deleteCannedReplyRow = (ctx: Ctx, id: string, guard: SQL): SQL[] => {
  const from = sql`FROM canned_replies WHERE ${isReply(ctx, id)} AND ${guard}`;
  return [appendEvents(ctx, sql`SELECT ${event("canned_reply.deleted", sql`id`)} ${from}`), sql`DELETE ${from}`];
};
