import { and, asc, eq } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { contactViews } from "../../db/schema/index.ts";
import { actorKey } from "../../shared/access/actor.ts";
import type { Ctx } from "../../shared/context.ts";

const recordColumns = {
  id: contactViews.id,
  name: contactViews.name,
  query: contactViews.query,
  created_by: contactViews.createdBy,
};

const inWorkspace = (ctx: Ctx) => eq(contactViews.workspaceId, ctx.workspace.id);
const isView = (ctx: Ctx, id: string) => and(eq(contactViews.id, id), inWorkspace(ctx));

export const selectView = (ctx: Ctx, id: string) =>
  ctx.db.select(recordColumns).from(contactViews).where(isView(ctx, id));

export const selectViews = (ctx: Ctx, limit: number) =>
  ctx.db.select(recordColumns).from(contactViews).where(inWorkspace(ctx)).orderBy(asc(contactViews.id)).limit(limit);

export const selectViewAt = (ctx: Ctx, position: number) =>
  ctx.db
    .select({ id: contactViews.id })
    .from(contactViews)
    .where(inWorkspace(ctx))
    .orderBy(asc(contactViews.id))
    .limit(1)
    .offset(position - 1);

export const selectViewHolder = (ctx: Ctx, key: string) =>
  ctx.db
    .select({ id: contactViews.id })
    .from(contactViews)
    .where(and(inWorkspace(ctx), eq(contactViews.nameKey, key)));

export const insertView = (
  ctx: Ctx,
  row: Pick<typeof contactViews.$inferInsert, "id" | "name" | "nameKey" | "query">,
) => {
  const createdBy = actorKey(ctx.actor);
  return ctx.db.insert(contactViews).values({ ...row, workspaceId: ctx.workspace.id, createdBy, createdAt: ctx.now() });
};

export const updateViewRow = (ctx: Ctx, id: string, row: SQLiteUpdateSetSource<typeof contactViews>) =>
  ctx.db.update(contactViews).set(row).where(isView(ctx, id));

export const moveViews = (ctx: Ctx, fromId: string, intoId: string) =>
  ctx.db
    .update(contactViews)
    .set({ createdBy: intoId })
    .where(and(inWorkspace(ctx), eq(contactViews.createdBy, fromId)));

export const deleteViewRow = (ctx: Ctx, id: string) => ctx.db.delete(contactViews).where(isView(ctx, id));
