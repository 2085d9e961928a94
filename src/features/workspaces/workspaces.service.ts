import { desc, eq, lt, sql } from "drizzle-orm";
import { campaigns, workspaces } from "../../db/schema/index.ts";
import { requireRole } from "../../shared/access/actor.ts";
import { type BaseCtx, type Ctx, forWorkspace } from "../../shared/context.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { Memo } from "../../shared/memo.ts";
import { canonicalTimeZone } from "../../shared/time/time-zones.ts";
import type { WorkspaceRef } from "../../shared/access/workspace.ts";
import { findLiveKey } from "../api-keys/api-keys.sql.ts";
import { republishKeys } from "../api-keys/api-keys.service.ts";
import { decideAndCommit, decideOutsideWorkspaces } from "../commits/decide-and-commit.ts";
import type { Connection } from "../connections/connections.schemas.ts";
import { selectConnection, updateConnectionRow } from "../connections/connections.sql.ts";
import { withdrawConnection } from "../connections/publish-connection.ts";
import { selectUnfinishedCampaign } from "../templates/templates.sql.ts";
import { deleteTemplatesOfConnection } from "../templates/sync/sync-templates.sql.ts";
import { changeWorkspace, findDeletionFault, type WorkspaceChange } from "./workspaces.changes.ts";

type WorkspaceRow = typeof workspaces.$inferSelect;

const selectWorkspace = (ctx: BaseCtx, id: string) =>
  ctx.control.select().from(workspaces).where(eq(workspaces.id, id));

/** The cursor of the first page. It sorts after every id, so the first page is an index range like all others. */
const AFTER_ALL_IDS = "ws~";

function insertWorkspace(ctx: BaseCtx, row: Pick<WorkspaceRow, "id" | "name" | "plan" | "timeZone">) {
  const shard = sql`(SELECT coalesce(max(${workspaces.number}), 0) % ${ctx.shardCount} FROM ${workspaces})`;
  return ctx.control
    .insert(workspaces)
    .values({ ...row, shard, createdAt: ctx.now() })
    .returning();
}

const updateWorkspaceRow = (ctx: BaseCtx, { id, ...row }: WorkspaceRow) =>
  ctx.control.update(workspaces).set(row).where(eq(workspaces.id, id));

const selectCampaignThrough = (ctx: Ctx, connectionId: string) =>
  selectUnfinishedCampaign(ctx, eq(campaigns.connectionId, connectionId));

export const listWorkspaces = async (ctx: BaseCtx, limit: number, before = AFTER_ALL_IDS): Promise<WorkspaceRow[]> =>
  ctx.control
    .select()
    .from(workspaces)
    .where(lt(workspaces.id, before))
    .orderBy(desc(workspaces.id))
    .limit(limit + 1);

export async function getWorkspace(ctx: BaseCtx, id: string): Promise<WorkspaceRow> {
  const [row] = await selectWorkspace(ctx, id);
  if (row === undefined) throw notFound("workspace");
  return row;
}

export async function createWorkspace(
  ctx: BaseCtx,
  { name, plan, timeZone }: Pick<WorkspaceRow, "name" | "plan" | "timeZone">,
): Promise<WorkspaceRow> {
  const id = ctx.newId("ws");
  const [row] = await insertWorkspace(ctx, { id, name, plan, timeZone: canonicalTimeZone(timeZone) });
  if (row === undefined) throw new Error("The insert returned no workspace.");
  return row;
}

/**
 * Throws `precondition_failed` if somebody changed a field after the form was rendered. Published API keys contain the
 * workspace's name and plan. If publishing them fails after the update, the client can repeat the request.
 */
export async function updateWorkspace(
  base: BaseCtx,
  id: string,
  input: WorkspaceChange,
  rendered: WorkspaceChange = {},
): Promise<WorkspaceRow> {
  if (input.plan !== undefined) requireRole(base.actor, "operator");
  const updated: WorkspaceRow = await decideOutsideWorkspaces(base, {
    reads: { workspaces: selectWorkspace(base, id) },
    decide({ workspaces: [workspace] }) {
      if (workspace === undefined) return notFound("workspace");
      const changed = changeWorkspace(workspace, input, rendered, base.now());
      if (changed instanceof AppError) return changed;
      return { writes: [updateWorkspaceRow(base, changed)], events: [], answer: changed };
    },
  });
  if (input.name !== undefined || input.plan !== undefined) await republishKeys(forWorkspace(base, updated));
  return updated;
}

/** Workspaces are never deleted or moved, so cached entries stay valid. */
const knownWorkspaces = new Memo<WorkspaceRef>(1000);

export async function findWorkspace(ctx: BaseCtx, id: string): Promise<WorkspaceRef> {
  const known = knownWorkspaces.get(id);
  if (known !== undefined) return known;
  const { number, shard } = await getWorkspace(ctx, id);
  return knownWorkspaces.set(id, { id, number, shard });
}

export async function deleteConnection(ctx: Ctx, id: string): Promise<Connection> {
  const apiKeyId = await findLiveKey(ctx, id);
  const deleted: Connection = await decideAndCommit(ctx, {
    shape: null,
    reads: { connections: selectConnection(ctx, id), campaigns: selectCampaignThrough(ctx, id) },
    decide({ connections: [connection], campaigns: [campaign] }) {
      if (connection === undefined) return notFound("connection");
      return (
        findDeletionFault(apiKeyId, campaign?.id ?? null) ?? {
          writes: [
            ...deleteTemplatesOfConnection(ctx, id),
            updateConnectionRow(ctx, id, { deletedAt: ctx.now(), isDefault: false, retestAt: null }),
          ],
          events: [{ type: "connection.deleted", id }],
          answer: { ...connection, isDefault: false },
        }
      );
    },
  });
  await withdrawConnection(ctx, id);
  return deleted;
}
