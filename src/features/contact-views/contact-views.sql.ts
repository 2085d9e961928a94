import * as z from "zod";
import { sql } from "../../db/sql.ts";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import { actorKey } from "../../shared/actor.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/json.ts";
import { savedViewRecord } from "./contact-views.schemas.ts";

const inWorkspace = (ctx: Ctx): SQL => sql`workspace_id = ${ctx.workspace.id}`;
const isView = (ctx: Ctx, id: string): SQL => sql`id = ${id} AND ${inWorkspace(ctx)}`;

/** `maker` is the one whose views may be changed; null for all views. */
const isChangeable = (ctx: Ctx, id: string, maker: string | null): SQL =>
  sql`${isView(ctx, id)} AND ${maker === null ? sql`TRUE` : sql`created_by = ${maker}`}`;

const viewJson = sql`json_object('id', id, 'name', name, 'query', query, 'created_by', created_by)`;

/** One row with the view as JSON in `result`; or none. */
export const viewAsJson = (ctx: Ctx, id: string): SQL =>
  sql`SELECT ${viewJson} AS result FROM contact_views WHERE ${isView(ctx, id)}`;

const viewRow = z.object({ result: fromJson(savedViewRecord) });

export const selectView = (ctx: Ctx, id: string): Statement<z.infer<typeof viewRow>> =>
  statement(viewRow, viewAsJson(ctx, id));

/** In the order in which they were saved. */
export const selectViews = (ctx: Ctx, limit: number): Statement<z.infer<typeof viewRow>> =>
  statement(
    viewRow,
    sql`SELECT ${viewJson} AS result FROM contact_views WHERE ${inWorkspace(ctx)} ORDER BY id LIMIT ${limit}`,
  );

const keyHolder = (ctx: Ctx, id: string, key: string): SQL =>
  sql`SELECT id FROM contact_views WHERE ${inWorkspace(ctx)} AND name_key = ${key} AND id <> ${id}`;

/** True in SQL while no other view has the key. */
export const isViewNameFree = (ctx: Ctx, id: string, key: string): SQL => sql`NOT EXISTS (${keyHolder(ctx, id, key)})`;

const holderRow = z.object({ id: z.string() });

/** The other view with this key. */
export const selectViewNameHolder = (ctx: Ctx, id: string, key: string): Statement<z.infer<typeof holderRow>> =>
  statement(holderRow, keyHolder(ctx, id, key));

/** Adds a view, unless one has the key or there are `most` already. */
export const insertView = (
  ctx: Ctx,
  { id, name, key, query, most }: { id: string; name: string; key: string; query: string; most: number },
  guard: SQL,
): SQL => sql`
  INSERT INTO contact_views (id, workspace_id, name, name_key, query, created_by, created_at)
  SELECT ${id}, ${ctx.workspace.id}, ${name}, ${key}, ${query}, ${actorKey(ctx.actor)}, ${ctx.now()}
  WHERE ${guard} AND (SELECT count(*) FROM contact_views WHERE ${inWorkspace(ctx)}) < ${most}
  ON CONFLICT DO NOTHING`;

/** One row with the view as JSON in `result`, where its changes are allowed and `condition` holds; or none. */
export const changeableViewAsJson = (ctx: Ctx, id: string, maker: string | null, condition = sql`TRUE`): SQL =>
  sql`SELECT ${viewJson} AS result FROM contact_views WHERE ${isChangeable(ctx, id, maker)} AND ${condition}`;

/** Gives a view another name, unless another view has its key. */
export const renameViewRow = (
  ctx: Ctx,
  id: string,
  { name, key, maker }: { name: string; key: string; maker: string | null },
  guard: SQL,
): SQL => sql`
  UPDATE contact_views SET name = ${name}, name_key = ${key}
  WHERE ${isChangeable(ctx, id, maker)} AND ${isViewNameFree(ctx, id, key)} AND ${guard}`;

/** Makes the views that one member saved another's. */
export const moveViews = (ctx: Ctx, fromId: string, intoId: string): SQL =>
  sql`UPDATE contact_views SET created_by = ${intoId} WHERE ${inWorkspace(ctx)} AND created_by = ${fromId}`;

export const deleteViewRow = (ctx: Ctx, id: string, maker: string | null, guard: SQL): SQL =>
  sql`DELETE FROM contact_views WHERE ${isChangeable(ctx, id, maker)} AND ${guard}`;
