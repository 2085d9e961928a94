import * as z from "zod";
import { planName } from "../../shared/workspace.ts";
import type { workspaces } from "../../db/schema/index.ts";
import { iso, boundedText, timestamp } from "../../http/fields.ts";

export const createWorkspaceBody = z.strictObject({ name: boundedText(120), plan: planName.default("growth") });

export const updateWorkspaceBody = z.strictObject({ name: boundedText(120), plan: planName }).partial();

export const workspaceView = z
  .strictObject({ id: z.string(), name: z.string(), plan: planName, created_at: timestamp })
  .meta({ id: "Workspace" });

export const presentWorkspace = (row: typeof workspaces.$inferSelect): z.infer<typeof workspaceView> => ({
  id: row.id,
  name: row.name,
  plan: row.plan,
  created_at: iso(row.createdAt),
});
