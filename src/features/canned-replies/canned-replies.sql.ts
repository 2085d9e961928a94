import { and, desc, eq, lt, sql, type SQL } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { columns } from "../../db/columns.ts";
import { cannedReplies } from "../../db/schema/index.ts";
import type { Ctx } from "../../shared/context.ts";

const column = columns(cannedReplies);

const recordColumns = {
  id: cannedReplies.id,
  /** Earlier versions stored shortcuts with a leading slash. */
  shortcut: sql<string>`ltrim(${cannedReplies.shortcut}, '/')`,
  body: cannedReplies.body,
  created_at: cannedReplies.createdAt,
  updated_at: cannedReplies.updatedAt,
  revision: cannedReplies.revision,
};

const inWorkspace = (ctx: Ctx) => eq(cannedReplies.workspaceId, ctx.workspace.id);
const isReply = (ctx: Ctx, id: string) => and(eq(cannedReplies.id, id), inWorkspace(ctx));

export const selectCannedReply = (ctx: Ctx, id: string) =>
  ctx.db.select(recordColumns).from(cannedReplies).where(isReply(ctx, id));

export const selectCannedReplies = (ctx: Ctx, limit: number, before: string | undefined) =>
  ctx.db
    .select(recordColumns)
    .from(cannedReplies)
    .where(and(inWorkspace(ctx), before === undefined ? undefined : lt(cannedReplies.id, before)))
    .orderBy(desc(cannedReplies.id))
    .limit(limit + 1);

export const selectShortcutHolder = (ctx: Ctx, key: string) =>
  ctx.db
    .select({ id: cannedReplies.id })
    .from(cannedReplies)
    .where(and(inWorkspace(ctx), eq(cannedReplies.shortcutKey, key)));

export const insertCannedReply = (ctx: Ctx, row: Omit<typeof cannedReplies.$inferInsert, "workspaceId">) =>
  ctx.db.insert(cannedReplies).values({ ...row, workspaceId: ctx.workspace.id });

export const updateCannedReplyRow = (ctx: Ctx, id: string, row: SQLiteUpdateSetSource<typeof cannedReplies>) =>
  ctx.db.update(cannedReplies).set(row).where(isReply(ctx, id));

export const deleteCannedReplyRow = (ctx: Ctx, id: string) => ctx.db.delete(cannedReplies).where(isReply(ctx, id));

export const cannedReplyAsJson = (ctx: Ctx, id: SQL): SQL => sql`
  SELECT json_object('id', ${column.id}, 'shortcut', ltrim(${column.shortcut}, '/'), 'body', ${column.body}, 'created_at', ${column.createdAt},
    'updated_at', ${column.updatedAt}, 'revision', ${column.revision}) AS result
  FROM canned_replies WHERE ${column.id} = ${id} AND ${column.workspaceId} = ${ctx.workspace.id}`;
