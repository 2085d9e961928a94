import * as z from "zod";
import type { ErrorCode } from "../../shared/errors.ts";
import { channelName } from "../../channels/channel-events.ts";
import { contactStatus } from "../contacts/contact-fields.schemas.ts";
import { workspaceRef } from "../../shared/access/workspace.ts";
import {
  boundedText,
  cursorParam,
  idCursorParam,
  limitParam,
  optionalLimitParam,
  phoneNumber,
  utcTime,
} from "../../http/fields.ts";
import { sentParts, variableValues } from "../templates/model/sent-parts.schemas.ts";
import { segmentRecord } from "../segments/segments.schemas.ts";
import { storedFilter } from "../segments/segments.stored.ts";

/** During a deployment, two versions of the Worker send these jobs to each other. Never remove or rename a field. */
export const advanceCampaignJob = z.object({
  v: z.literal(1),
  workspace: workspaceRef,
  campaignId: z.string(),
});

export type AdvanceCampaignJob = z.infer<typeof advanceCampaignJob>;

const variables = variableValues.meta({
  description:
    'A list with a value for each position {{1}}, {{2}} …, like ["{{name|there}}"], or an object with a value for each name. These values, and those of header, buttons and cards, can contain ' +
    "contact fields. An omitted named variable gets the contact's value, otherwise its fallback.",
});

export const contentErrors = [
  "not_found",
  "invalid_state",
  "template_not_approved",
  "channel_mismatch",
  "missing_variable",
] as const satisfies ErrorCode[];

const moment = utcTime();

export const MODE_NEEDS_TAGS = "This field requires filter_tags.";

export const MAX_NAME_CHARACTERS = 120;

const requestFields = {
  template_id: boundedText(100),
  channel: channelName.meta({
    description:
      "Default: the connection of the API key if it is on this channel, otherwise the channel's default connection.",
  }),
  name: boundedText(MAX_NAME_CHARACTERS).optional().meta({ description: "Default: the template's name." }),
  scheduled_at: moment.optional().meta({ description: "Start time in UTC, within 365 days." }),
  send_before: moment
    .optional()
    .meta({ description: "Messages that are not sent before this time are skipped as `expired`." }),
  filter_tags: z.array(boundedText(60)).min(1).max(50).optional().meta({ description: "Contacts with these tags." }),
  filter_tags_mode: z.enum(["all", "any"]).optional().meta({ description: "Default: `all`." }),
  filter_status: contactStatus.optional(),
  segment_id: boundedText(100).optional().meta({ description: "Contacts in this segment." }),
  variables: variables.optional(),
  ...sentParts,
};

export const startCampaignBody = z
  .strictObject(requestFields)
  .superRefine(({ filter_tags, filter_tags_mode }, issues) => {
    if (filter_tags_mode === undefined || filter_tags !== undefined) return;
    issues.addIssue({ code: "custom", path: ["filter_tags_mode"], message: MODE_NEEDS_TAGS });
  })
  .meta({ id: "CampaignsPreviewRequest" });

export type StartCampaign = z.infer<typeof startCampaignBody>;

export const startShape = z.object(requestFields);

/**
 * Differs from the API's request: the audience is stored separately, variables always have names, and files always have
 * ids.
 */
export const storedRequest = startShape
  .omit({ filter_tags: true, filter_tags_mode: true, filter_status: true, segment_id: true })
  .extend({ name: z.string(), variables: z.record(z.string(), z.string()).optional() });

export type StoredRequest = z.infer<typeof storedRequest>;

const audienceToken = z.string().max(500).optional().meta({
  description:
    "Token from a preview of the same request by the same key, at most 10 minutes old. The campaign starts only if the audience has not changed since the preview.",
});

export const confirmedStartBody = startCampaignBody
  .safeExtend({ audience_token: audienceToken })
  .meta({ id: "CampaignsStartRequest" });

export const startDraftBody = z.strictObject({ audience_token: audienceToken });

const { template_id, channel, ...optionalFields } = requestFields;

export const updateCampaignBody = z
  .strictObject({
    template_id: template_id.optional(),
    channel: channel.optional().meta({
      description:
        "If you send a channel, Tidings chooses the connection as for a new campaign. If you omit it, channel and connection stay.",
    }),
    name: optionalFields.name.nullable(),
    scheduled_at: optionalFields.scheduled_at.nullable().meta({
      description: "Start time in UTC, within 365 days. Only drafts accept null, which means an immediate start.",
    }),
    send_before: optionalFields.send_before.nullable(),
    filter_tags: optionalFields.filter_tags.nullable(),
    filter_tags_mode: optionalFields.filter_tags_mode.nullable(),
    filter_status: optionalFields.filter_status.nullable(),
    segment_id: optionalFields.segment_id.nullable(),
    variables: optionalFields.variables.nullable(),
    header: optionalFields.header.nullable(),
    buttons: optionalFields.buttons.nullable(),
    cards: optionalFields.cards.nullable(),
  })
  .meta({ id: "CampaignsUpdateRequest" });

export type CampaignPatch = z.infer<typeof updateCampaignBody>;

export const testCampaignBody = z.strictObject({ to: phoneNumber({ requirePlus: false }) });

export const listCampaignsQuery = z.strictObject({
  limit: optionalLimitParam,
  cursor: idCursorParam("cmp"),
});

export const recipientState = z
  .enum(["pending", "sent", "delivered", "read", "failed", "skipped", "unknown"])
  .meta({ id: "RecipientState", description: "Latest state of the message to this recipient." });

export const exportRecipientsQuery = z.strictObject({
  state: recipientState.optional().meta({ description: "Only recipients in this state." }),
});

export const listRecipientsQuery = z.strictObject({
  ...exportRecipientsQuery.shape,
  limit: limitParam(),
  cursor: cursorParam(z.tuple([z.int().min(0).max(99_999_999)])),
});

export const storedAudience = z.object({
  filter: storedFilter.nullable(),
  segmentId: z.string().nullable(),
  /**
   * The filters from the time when the campaign started, or null before the start. Conditions such as “in the last 7
   * days” are relative to `at` (ms since the epoch).
   */
  resolved: z
    .object({ filters: z.array(segmentRecord.pick({ filter: true, fields: true })), at: z.number() })
    .nullable(),
});

export type StoredAudience = z.infer<typeof storedAudience>;
export type ResolvedAudience = NonNullable<StoredAudience["resolved"]>;

const tally = z.object({
  sent: z.number(),
  delivered: z.number(),
  read: z.number(),
  failed: z.number(),
  skipped: z.number(),
  unknown: z.number(),
});

export const campaignCost = z.record(z.string(), z.object({ billable: z.number(), free: z.number() }));

/**
 * Responses that are stored for repeated requests contain these fields for a day, so the names must not change. `taken`
 * counts leased sends, and `answered` counts settled sends. `rest` is the reason why the remaining recipients are
 * skipped.
 */
export const campaignRecord = z.object({
  id: z.string(),
  name: z.string(),
  template_id: z.string(),
  channel: channelName,
  connection_id: z.string(),
  status: z.enum(["draft", "scheduled", "running", "paused", "completed", "cancelled", "failed"]).meta({
    id: "CampaignStatus",
    description: "A `draft` has not been started. `completed`, `cancelled` and `failed` are final.",
  }),
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
  /** Responses that an earlier version stored do not have this field. */
  cost: campaignCost.default({}),
  audience_ready_at: z.number().nullable(),
  scheduled_at: z.number().nullable(),
  send_before: z.number().nullable(),
  started_at: z.number().nullable(),
  completed_at: z.number().nullable(),
  created_at: z.number(),
});

export type CampaignRecord = z.infer<typeof campaignRecord>;
export type Tally = CampaignRecord["tally"];

export const recipientRecord = z.object({
  number: z.number(),
  message_id: z.string(),
  contact_id: z.string(),
  name: z.string().nullable(),
  address: z.string(),
  state: recipientState,
  reason: z.string().nullable(),
  error_message: z.string().nullable(),
  sent_at: z.number().nullable(),
  delivered_at: z.number().nullable(),
  read_at: z.number().nullable(),
  failed_at: z.number().nullable(),
  updated_at: z.number(),
});

export type RecipientRecord = z.infer<typeof recipientRecord>;
