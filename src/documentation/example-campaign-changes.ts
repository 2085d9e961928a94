import type { EventView } from "../features/event-feed/event-feed.schemas.ts";
import { exampleIds as id } from "./example-ids.ts";

export const member = { type: "member", id: id.member };
export const system = { type: "system", id: null };

const idle = { rate_per_second: null, estimated_completion_at: null };
const unstarted = { started_at: null, audience_ready_at: null, ...idle };
const none = { pending: 0, sent: 0, delivered: 0, read: 0, failed: 0, skipped: 0, unknown: 0 };

/** `actor` defaults to the API key. `fields` is null for an object that no longer exists. */
export interface EventCase {
  actor?: object;
  changes?: EventView["changes"];
  fields?: object | null;
}

export const campaignCases: [type: string, EventCase][] = [
  [
    "campaign.created",
    {
      changes: {
        template_id: [null, id.template],
        channel: [null, "official"],
        name: [null, "December offer (copy)"],
        filter_tags: [null, ["Newsletter"]],
        filter_tags_mode: [null, "all"],
        connection_id: [null, id.connection],
        status: [null, "draft"],
      },
      fields: {
        name: "December offer (copy)",
        status: "draft",
        recipient_count: 0,
        ...unstarted,
        cost: {},
        counts: none,
      },
    },
  ],
  [
    "campaign.updated",
    {
      actor: member,
      changes: { scheduled_at: ["2026-12-24T08:00:00.000Z", "2026-12-23T08:00:00.000Z"] },
      fields: {
        status: "scheduled",
        scheduled_at: "2026-12-23T08:00:00.000Z",
        ...unstarted,
        cost: {},
        counts: { ...none, pending: 1250 },
      },
    },
  ],
  [
    "campaign.scheduled",
    {
      fields: {
        status: "scheduled",
        scheduled_at: "2026-12-24T08:00:00.000Z",
        ...unstarted,
        cost: {},
        counts: { ...none, pending: 1250 },
      },
    },
  ],
  ["campaign.started", {}],
  [
    "campaign.paused",
    { actor: member, changes: { status: ["running", "paused"] }, fields: { status: "paused", ...idle } },
  ],
  ["campaign.resumed", { actor: member, changes: { status: ["paused", "running"] } }],
  [
    "campaign.completed",
    {
      actor: system,
      changes: { status: ["running", "completed"] },
      fields: {
        status: "completed",
        completed_at: "2026-12-01T09:30:31.000Z",
        ...idle,
        counts: { pending: 0, sent: 140, delivered: 820, read: 274, failed: 8, skipped: 8, unknown: 0 },
      },
    },
  ],
  [
    "campaign.cancelled",
    {
      actor: member,
      changes: { status: ["running", "cancelled"] },
      fields: {
        status: "cancelled",
        completed_at: "2026-12-01T09:30:20.000Z",
        ...idle,
        counts: { pending: 0, sent: 120, delivered: 512, read: 174, failed: 6, skipped: 438, unknown: 0 },
      },
    },
  ],
  [
    "campaign.failed",
    {
      actor: system,
      changes: { status: ["scheduled", "failed"] },
      fields: {
        status: "failed",
        last_error: "template_not_approved",
        recipient_count: 0,
        ...unstarted,
        cost: {},
        counts: none,
      },
    },
  ],
];
