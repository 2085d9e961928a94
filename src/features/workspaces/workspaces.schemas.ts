import * as z from "zod";
import { plans } from "../../shared/workspace.ts";
import type { workspaces } from "../../db/schema/index.ts";
import { iso, boundedText, timestamp } from "../../http/fields.ts";

const plan = z.enum(plans);

export const createWorkspaceBody = z.strictObject({ name: boundedText(120), plan: plan.default("growth") });

export const updateWorkspaceBody = z.strictObject({ name: boundedText(120), plan }).partial();

export const workspaceView = z
  .strictObject({ id: z.string(), name: z.string(), plan, created_at: timestamp })
  .meta({ id: "Workspace" });

export const presentWorkspace = (row: typeof workspaces.$inferSelect): z.infer<typeof workspaceView> => ({
  id: row.id,
  name: row.name,
  plan: row.plan,
  created_at: iso(row.createdAt),
});
