import * as z from "zod";
import { canonicalTimeZone, isTimeZone } from "../../shared/time/time-zones.ts";
import { planName } from "../../shared/access/workspace.ts";
import type { workspaces } from "../../db/schema/index.ts";
import { boundedText, timestamp } from "../../http/fields.ts";
import { iso } from "../../shared/time/iso-times.ts";

const timeZone = z
  .string()
  .trim()
  .max(64)
  .refine(isTimeZone, {
    message: "Must be a time zone, like Europe/Berlin.",
    params: { code: "invalid_value" },
  })
  .meta({
    description:
      "Time zone for days in statistics, charts and the campaign calendar. An IANA name, such as `Europe/Berlin`. " +
      "Case does not matter; the response has the official spelling.",
  });

export const createWorkspaceBody = z.strictObject({
  name: boundedText(120),
  plan: planName.default("growth"),
  time_zone: timeZone.default("UTC"),
});

export const updateWorkspaceBody = z
  .strictObject({
    name: boundedText(120),
    plan: planName,
    time_zone: timeZone,
    first_steps_hidden: z.boolean().meta({ description: "True if the console hides the onboarding steps." }),
  })
  .partial();

export const workspaceChange = ({
  name,
  plan,
  time_zone,
  first_steps_hidden,
}: z.infer<typeof updateWorkspaceBody>) => ({
  ...(name !== undefined && { name }),
  ...(plan !== undefined && { plan }),
  ...(time_zone !== undefined && { timeZone: time_zone }),
  ...(first_steps_hidden !== undefined && { areStepsHidden: first_steps_hidden }),
});

export const workspaceView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    plan: planName,
    time_zone: z.string(),
    first_steps_hidden: z.boolean(),
    created_at: timestamp,
  })
  .meta({ id: "Workspace" });

export const presentWorkspace = (row: typeof workspaces.$inferSelect): z.infer<typeof workspaceView> => ({
  id: row.id,
  name: row.name,
  plan: row.plan,
  // Earlier versions stored the time zone as the client spelled it.
  time_zone: canonicalTimeZone(row.timeZone),
  first_steps_hidden: row.stepsHiddenAt !== null,
  created_at: iso(row.createdAt),
});
