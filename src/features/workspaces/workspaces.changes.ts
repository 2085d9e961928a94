import { findFormConflict } from "../../shared/edit-conflicts.ts";
import { AppError } from "../../shared/errors.ts";
import { canonicalTimeZone } from "../../shared/time/time-zones.ts";
import type { Plan } from "../../shared/access/workspace.ts";

interface ChangeableWorkspace {
  name: string;
  plan: Plan;
  timeZone: string;
  stepsHiddenAt: number | null;
}

export type WorkspaceChange = Partial<Omit<ChangeableWorkspace, "stepsHiddenAt"> & { areStepsHidden: boolean }>;

export function changeWorkspace<W extends ChangeableWorkspace>(
  workspace: W,
  { areStepsHidden, ...input }: WorkspaceChange,
  rendered: WorkspaceChange,
  now: number,
): W | AppError {
  const change = {
    ...input,
    ...(input.timeZone !== undefined && { timeZone: canonicalTimeZone(input.timeZone) }),
    ...(areStepsHidden !== undefined && { stepsHiddenAt: areStepsHidden ? now : null }),
  };
  return findFormConflict(workspace, change, rendered) ?? { ...workspace, ...change };
}

export function findDeletionFault(apiKeyId: string | null, campaignId: string | null): AppError | null {
  if (apiKeyId !== null)
    return new AppError("conflict", "API keys use this connection. Revoke these keys first.", {
      field: "connection_id",
      api_key_id: apiKeyId,
    });
  if (campaignId === null) return null;
  return new AppError("conflict", "An unfinished campaign uses this connection. Cancel the campaign first.", {
    field: "connection_id",
    campaign_id: campaignId,
  });
}
