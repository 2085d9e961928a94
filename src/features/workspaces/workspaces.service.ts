import { requireRole } from "../../shared/actor.ts";
import { type BaseCtx, type Ctx, forWorkspace } from "../../shared/context.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { canonicalTimeZone } from "../../shared/time-zones.ts";
import type { WorkspaceRef } from "../../shared/workspace.ts";
import { findLiveKey } from "../api-keys/api-keys.sql.ts";
import { republishKeys } from "../api-keys/api-keys.service.ts";
import { deleteConnection, requireConnection } from "../connections/connections.service.ts";
import { deleteTemplatesOfConnection } from "../templates/sync-templates.sql.ts";
import {
  changeWorkspace,
  findUnfinishedCampaign,
  findWorkspaceById,
  insertWorkspace,
  selectWorkspaces,
  type WorkspaceRow,
} from "./workspaces.sql.ts";

/** Newest first, one beyond `limit` where there are more. */
export const listWorkspaces = async (
  ctx: BaseCtx,
  limit: number,
  before: string | undefined,
): Promise<WorkspaceRow[]> => selectWorkspaces(ctx, limit, before);

/** Throws `not_found`. */
export async function getWorkspace(ctx: BaseCtx, id: string): Promise<WorkspaceRow> {
  const row = await findWorkspaceById(ctx, id);
  if (row === null) throw notFound("workspace");
  return row;
}

export async function createWorkspace(
  ctx: BaseCtx,
  input: Pick<WorkspaceRow, "name" | "plan" | "timeZone">,
): Promise<WorkspaceRow> {
  const id = ctx.newId("ws");
  await insertWorkspace(ctx, { id, ...input, timeZone: canonicalTimeZone(input.timeZone) });
  return getWorkspace(ctx, id);
}

/**
 * A name or plan holds for the next request of every key once this returns; if it fails half-way, repeating it finishes it. Only the
 * operator changes plans. `shown` is what a form that was filled in was made with. Throws `not_found`, `forbidden`, and
 * `precondition_failed` where somebody else has changed the same since.
 */
export async function updateWorkspace(
  ctx: BaseCtx,
  id: string,
  {
    areStepsHidden,
    ...change
  }: Partial<Pick<WorkspaceRow, "name" | "plan" | "timeZone"> & { areStepsHidden: boolean }>,
  shown: Partial<Pick<WorkspaceRow, "name" | "timeZone">> = {},
): Promise<WorkspaceRow> {
  if (change.plan !== undefined) requireRole(ctx.actor, "operator");
  await getWorkspace(ctx, id);
  const steps = areStepsHidden === undefined ? {} : { stepsHiddenAt: areStepsHidden ? ctx.now() : null };
  const zone = change.timeZone === undefined ? {} : { timeZone: canonicalTimeZone(change.timeZone) };
  await changeWorkspace(ctx, id, { ...change, ...zone, ...steps }, shown);
  const row = await getWorkspace(ctx, id);
  if (change.name !== undefined || change.plan !== undefined) await republishKeys(forWorkspace(ctx, row));
  return row;
}

/** Workspaces are never deleted nor moved, so what has been found once stays true. */
const known = new Map<string, WorkspaceRef>();
const KNOWN_WORKSPACES = 1000;

/** The number and shard of a workspace. Throws `not_found`. */
export async function findWorkspace(ctx: BaseCtx, id: string): Promise<WorkspaceRef> {
  const held = known.get(id);
  if (held !== undefined) return held;
  const { number, shard } = await getWorkspace(ctx, id);
  const workspace = { id, number, shard };
  if (known.size >= KNOWN_WORKSPACES) known.clear();
  known.set(id, workspace);
  return workspace;
}

/** Ends a connection that no live key or unfinished campaign sends through, and its provider's templates; else throws `conflict`. */
export async function retireConnection(ctx: Ctx, id: string) {
  await requireConnection(ctx, id);
  const apiKeyId = await findLiveKey(ctx, id);
  if (apiKeyId !== null) {
    throw new AppError("conflict", "Live API keys send through this connection. Revoke them first.", {
      field: "connection_id",
      api_key_id: apiKeyId,
    });
  }
  const campaignId = await findUnfinishedCampaign(ctx, id);
  if (campaignId !== null) {
    throw new AppError("conflict", "An unfinished campaign sends through this connection. Cancel it first.", {
      field: "connection_id",
      campaign_id: campaignId,
    });
  }
  await deleteTemplatesOfConnection(ctx, id);
  return deleteConnection(ctx, id);
}
