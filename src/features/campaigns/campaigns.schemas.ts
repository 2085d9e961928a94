import * as z from "zod";
import {
  cursorParam,
  iso,
  isoOrNull,
  limitParam,
  optionalLimitParam,
  text,
  timestamp,
  verbatim,
} from "../../http/fields.ts";
import { segmentRecord } from "../segments/segments.schemas.ts";
import { storedFilter } from "../segments/segments.stored.ts";
import { countsOf, paceOf } from "./campaigns.progress.ts";

/** Says on the queue that a campaign wants looking after. Crosses between versions of the Worker: only ever add to it. */
export const wake = z.object({
  v: z.literal(1),
  workspace: z.object({ id: z.string(), number: z.number(), shard: z.number() }),
  campaignId: z.string(),
});

export type Wake = z.infer<typeof wake>;

const channel = z.enum(["official", "unofficial"]);
const contactStatus = z.enum(["hot", "warm", "active", "cold", "new"]);

const variableText = verbatim(4096);
const variables = z
  .union(
    [z.array(variableText).max(100), z.record(z.string(), variableText)],
    "A list of texts for {{1}}, {{2}} …, or an object of name → text.",
  )
  .meta({
    description:
      'A list for {{1}}, {{2}} … in order, or an object by name. Each text may itself hold named variables, like "{{address_as|there}}". ' +
      "Left out, {{1}} is the contact's address_as, else name, and named variables are the contact's own.",
  });

const moment = z.iso.datetime({ offset: true }).refine((value) => /(Z|\+00:00)$/i.test(value), {
  message: "Give the time in UTC, ending in Z or +00:00.",
});

const audience = {
  template_id: text(100),
  channel: channel.meta({
    description:
      "The key's connection is used where it is of this channel, else the workspace's default of the channel.",
  }),
  name: text(120).optional().meta({ description: "The template's name when left out." }),
  scheduled_at: moment.optional().meta({ description: "When to start, in UTC, within 365 days." }),
  send_before: moment.optional().meta({ description: "What is not sent by then is skipped as `expired`." }),
  filter_tags: z.array(text(60)).min(1).max(50).optional().meta({ description: "Contacts with these tags." }),
  filter_tags_mode: z.enum(["all", "any"]).optional().meta({ description: "`all` when left out." }),
  filter_status: contactStatus.optional(),
  segment_id: text(100).optional(),
  variables: variables.optional(),
};

export const startCampaignBody = z
  .strictObject(audience)
  .superRefine(({ filter_tags, filter_tags_mode }, issues) => {
    if (filter_tags_mode === undefined || filter_tags !== undefined) return;
    issues.addIssue({ code: "custom", path: ["filter_tags_mode"], message: "Goes with filter_tags only." });
  })
  .meta({ id: "CampaignStart" });

export type StartCampaign = z.infer<typeof startCampaignBody>;

export const listCampaignsQuery = z.strictObject({
  limit: optionalLimitParam,
  cursor: cursorParam(z.tuple([z.string()])),
});

export const recipientStates = ["pending", "sent", "delivered", "read", "failed", "skipped", "unknown"] as const;
const recipientState = z.enum(recipientStates);

export type RecipientState = z.infer<typeof recipientState>;

export const listRecipientsQuery = z.strictObject({
  state: recipientState.optional(),
  limit: limitParam(),
  cursor: cursorParam(z.tuple([z.int().min(0).max(99_999_999)])),
});

/** Whom a campaign is for, in the form segments keep filters in. */
export const storedAudience = z.object({
  /** Of tags and status; null where neither was asked for. */
  filter: storedFilter.nullable(),
  segmentId: z.string().nullable(),
  /** How that was understood at the start, and when; relative conditions are relative to `at` (ms since the epoch). */
  resolved: z
    .object({ filters: z.array(segmentRecord.pick({ filter: true, fields: true })), at: z.number() })
    .nullable(),
});

export type StoredAudience = z.infer<typeof storedAudience>;
export type ResolvedAudience = NonNullable<StoredAudience["resolved"]>;

/** Texts by variable; null where none were sent. */
export const storedVariables = z.record(z.string(), z.string()).nullable();

export const tally = z.object({
  sent: z.number(),
  delivered: z.number(),
  read: z.number(),
  failed: z.number(),
  skipped: z.number(),
  unknown: z.number(),
});

/** A campaign as the repository reads it. */
export const campaignRecord = z.object({
  id: z.string(),
  name: z.string(),
  template_id: z.string(),
  channel,
  connection_id: z.string(),
  status: z.enum(["scheduled", "running", "paused", "completed", "cancelled", "failed"]),
  last_error: z.string().nullable(),
  recipient_count: z.number(),
  expanded: z.number(),
  taken: z.number(),
  answered: z.number(),
  pace_at: z.number(),
  pace_now: z.number(),
  pace_before: z.number(),
  rest: z.enum(["cancelled", "expired"]).nullable(),
  messages_per_second: z.number().nullable(),
  tally,
  audience_ready_at: z.number().nullable(),
  scheduled_at: z.number().nullable(),
  send_before: z.number().nullable(),
  started_at: z.number().nullable(),
  completed_at: z.number().nullable(),
  created_at: z.number(),
});

export type CampaignRecord = z.infer<typeof campaignRecord>;

const count = z.int().min(0);
export const counts = z.strictObject({
  pending: count.meta({ description: "Queued, being sent, or waiting for a retry." }),
  sent: count,
  delivered: count,
  read: count,
  failed: count,
  skipped: count,
  unknown: count.meta({ description: "The provider may or may not have taken it; never sent again on its own." }),
});

export const campaignView = z
  .strictObject({
    campaign_id: z.string(),
    name: z.string(),
    template_id: z.string(),
    channel,
    connection_id: z.string(),
    status: campaignRecord.shape.status,
    recipient_count: count,
    audience_ready_at: timestamp.nullable().meta({ description: "When all recipients were known." }),
    counts: counts.meta({ description: "By the furthest state reached; they add up once the audience is ready." }),
    rate_per_second: z.number().nullable().meta({ description: "Of the last seconds, while it runs." }),
    estimated_completion_at: timestamp.nullable(),
    scheduled_at: timestamp.nullable(),
    send_before: timestamp.nullable(),
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
    created_at: timestamp,
    last_error: z.string().nullable().meta({ description: "Why it failed, or why it paused by itself." }),
  })
  .meta({ id: "Campaign" });

export const presentCampaign = (record: CampaignRecord, now: number): z.infer<typeof campaignView> => {
  const tallied = countsOf(record);
  const { perSecond, endsAt } = paceOf(record, tallied.pending, now);
  return {
    campaign_id: record.id,
    name: record.name,
    template_id: record.template_id,
    channel: record.channel,
    connection_id: record.connection_id,
    status: record.status,
    recipient_count: record.recipient_count,
    audience_ready_at: isoOrNull(record.audience_ready_at),
    counts: tallied,
    rate_per_second: perSecond,
    estimated_completion_at: isoOrNull(endsAt),
    scheduled_at: isoOrNull(record.scheduled_at),
    send_before: isoOrNull(record.send_before),
    started_at: isoOrNull(record.started_at),
    completed_at: isoOrNull(record.completed_at),
    created_at: iso(record.created_at),
    last_error: record.last_error,
  };
};

/** What a start is answered with, as it is kept for a repeat of the request. */
export const startedView = {
  campaign_id: z.string(),
  recipient_count: count,
  status: z.enum(["running", "scheduled"]),
};

export const excludedReasons = ["archived", "unsubscribed", "no_phone", "duplicate"] as const;

export const excluded = z
  .strictObject({ archived: count, unsubscribed: count, no_phone: count, duplicate: count })
  .meta({ description: "Who fits the filters and cannot be reached, by reason." });

export const previewView = {
  recipient_count: count,
  excluded,
  samples: z
    .array(z.strictObject({ contact_id: z.string(), phone: z.string(), body: z.string() }))
    .meta({ description: "Up to 5, as they would be sent." }),
};

/** A recipient as the repository reads it. */
export const recipientRecord = z.object({
  number: z.number(),
  message_id: z.string(),
  contact_id: z.string(),
  phone: z.string(),
  state: recipientState,
  reason: z.string().nullable(),
  updated_at: z.number(),
});

export type RecipientRecord = z.infer<typeof recipientRecord>;

export const recipientView = z
  .strictObject({
    contact_id: z.string(),
    phone: z.string(),
    state: recipientState,
    reason: z.string().nullable().meta({ description: "Why it failed or was skipped." }),
    message_id: z.string().nullable().meta({ description: "Null where nothing was or will be sent." }),
    updated_at: timestamp,
  })
  .meta({ id: "CampaignRecipient" });

export const presentRecipient = (record: RecipientRecord): z.infer<typeof recipientView> => ({
  contact_id: record.contact_id,
  phone: record.phone,
  state: record.state,
  reason: record.reason,
  message_id: record.state === "skipped" ? null : record.message_id,
  updated_at: iso(record.updated_at),
});

const difference = z.int().optional();

export const reconcileView = {
  stored: counts,
  actual: counts.meta({ description: "As the recipients themselves say." }),
  differences: z
    .strictObject({
      pending: difference,
      sent: difference,
      delivered: difference,
      read: difference,
      failed: difference,
      skipped: difference,
      unknown: difference,
    })
    .meta({ description: "`actual` less `stored`, where they differ." }),
};
