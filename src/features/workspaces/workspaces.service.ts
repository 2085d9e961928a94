import { requireRole } from "../../shared/actor.ts";
import { type BaseCtx, type Ctx, forWorkspace } from "../../shared/context.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { canonicalTimeZone } from "../../shared/time-zones.ts";
import type { WorkspaceRef } from "../../shared/workspace.ts";
import { findLiveKey } from "../api-keys/api-keys.sql.ts";
import { republishKeys } from "../api-keys/api-keys.service.ts";
import { decideAndCommit, decideOutsideWorkspaces } from "../commits/decide-and-commit.ts";
import type { Connection } from "../connections/connections.service.ts";
import { selectConnection, updateConnectionRow } from "../connections/connections.sql.ts";
import { withdrawConnection } from "../connections/publish-connection.ts";
import { deleteTemplatesOfConnection } from "../templates/sync/sync-templates.sql.ts";
import { changeWorkspace, findRetirementFault, type WorkspaceChange } from "./workspaces.changes.ts";
import {
  insertWorkspace,
  selectCampaignThrough,
  selectWorkspace,
  selectWorkspaces,
  updateWorkspaceRow,
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
 * A name or plan applies to the next request of every key once this returns; if it fails halfway, repeating it finishes it. Only the
 * operator changes plans. Throws `not_found`, `forbidden`, and `precondition_failed` if somebody else has changed a field since a form
 * was `rendered`.
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
export async function retireConnection(ctx: Ctx, id: string): Promise<Connection> {
  const apiKeyId = await findLiveKey(ctx, id);
  const retired: Connection = await decideAndCommit(ctx, {
    shape: null,
    reads: { connections: selectConnection(ctx, id), campaigns: selectCampaignThrough(ctx, id) },
    decide({ connections: [connection], campaigns: [campaign] }) {
      if (connection === undefined) return notFound("connection");
      return (
        findRetirementFault(apiKeyId, campaign?.id ?? null) ?? {
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
  return retired;
}
