import * as z from "zod";
import { isPhoneAddress } from "../../shared/text/phone.ts";
import { channelName } from "../../channels/channel-events.ts";
import { timestamp } from "../../http/fields.ts";
import { iso, isoOrNull } from "../../shared/time/iso-times.ts";
import { templateContent } from "../messages/messages.views.ts";
import { countsOf, paceOf } from "./campaigns.progress.ts";
import type { Preview } from "./start/preview-campaign.ts";
import { type CampaignRecord, campaignRecord, type RecipientRecord, recipientState } from "./campaigns.schemas.ts";

const count = z.int().min(0);
const counts = z.strictObject({
  pending: count.meta({ description: "Messages that are queued, are being sent, or wait for a retry." }),
  sent: count,
  delivered: count,
  read: count,
  failed: count,
  skipped: count,
  unknown: count.meta({
    description: "Messages that the provider might have received. Tidings never sends them again automatically.",
  }),
});

const cost = z.record(z.string(), z.strictObject({ billable: count, free: count }));

export const campaignView = z
  .strictObject({
    campaign_id: z.string(),
    name: z.string(),
    template_id: z.string(),
    channel: channelName,
    connection_id: z.string(),
    status: campaignRecord.shape.status,
    recipient_count: count.meta({
      description:
        "Counted when the campaign starts, and corrected when the list of recipients is complete (`audience_ready_at`).",
    }),
    audience_ready_at: timestamp.nullable().meta({ description: "When the list of recipients was complete." }),
    counts: counts.meta({
      description:
        "Number of recipients by the latest state of their message. After `audience_ready_at`, the numbers add up to `recipient_count`.",
    }),
    cost: cost.meta({
      description: "Numbers of billable and free messages by category, from the provider's status updates.",
    }),
    rate_per_second: z
      .number()
      .nullable()
      .meta({ description: "Send rate over the last few seconds. Null if the campaign is not running." }),
    estimated_completion_at: timestamp
      .nullable()
      .meta({ description: "Estimated end of sending at the current rate." }),
    scheduled_at: timestamp.nullable(),
    send_before: timestamp.nullable().meta({ description: "Messages that are not sent before this time are skipped." }),
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
    created_at: timestamp,
    last_error: z.string().nullable().meta({ description: "Reason for a failure or an automatic pause." }),
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
    cost: record.cost,
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

export const startedView = {
  campaign_id: z.string(),
  recipient_count: count,
  status: z.enum(["running", "scheduled"]),
};

const excluded = z
  .strictObject({
    archived: count,
    unsubscribed: count,
    marketing_opt_out: count,
    no_phone: count.meta({ description: "Contacts with neither a phone number nor a user id." }),
    no_address: count.meta({
      description: "Contacts without a phone number whose user id belongs to another provider or business account.",
    }),
    duplicate: count,
  })
  .meta({ description: "Contacts that match the filters but cannot be reached, by reason." });

export const previewView = {
  recipient_count: count,
  excluded,
  samples: z
    .array(
      z.strictObject({
        contact_id: z.string(),
        phone: z.string().nullable(),
        body: z.string(),
        content: templateContent.nullable().meta({
          description: "Header, buttons and cards, as in the message's `content`. Null for local templates.",
        }),
      }),
    )
    .meta({ description: "Up to 5 messages, as they would be sent." }),
  audience_token: z.string().meta({
    description:
      "Send this token with the same request to start the campaign. It starts only if the audience has not changed since the preview. Valid for 10 minutes.",
  }),
};

export const presentPreview = ({
  reachable,
  excluded: left,
  samples,
  audienceToken,
}: Preview & { audienceToken: string }) => ({
  recipient_count: reachable,
  excluded: left,
  samples,
  audience_token: audienceToken,
});

export const recipientView = z
  .strictObject({
    contact_id: z.string(),
    name: z.string().nullable().meta({ description: "Current name of the contact." }),
    phone: z.string().nullable().meta({ description: "Null for people without a phone number." }),
    user_id: z.string().nullable().meta({ description: "Provider's user id of a person without a phone number." }),
    state: recipientState,
    reason: z
      .string()
      .nullable()
      .meta({
        description:
          "Reason for a failure, as in messages, or for a skip: `unsubscribed`, `marketing_opt_out`, `archived`, `duplicate` (the number already received " +
          "the message), `missing_variable`, `too_long`, `expired`, `cancelled`.",
      }),
    message_id: z.string().nullable().meta({ description: "Null if the campaign sends no message to this recipient." }),
    updated_at: timestamp,
  })
  .meta({ id: "CampaignRecipient" });

export const addressParts = (address: string) =>
  isPhoneAddress(address) ? { phone: address, user_id: null } : { phone: null, user_id: address };

export const presentRecipient = (record: RecipientRecord): z.infer<typeof recipientView> => ({
  contact_id: record.contact_id,
  name: record.name,
  ...addressParts(record.address),
  state: record.state,
  reason: record.reason,
  message_id: record.state === "skipped" ? null : record.message_id,
  updated_at: iso(record.updated_at),
});

const difference = z.int().optional();

export const reconcileView = {
  stored: counts,
  actual: counts.meta({ description: "Counted from the recipients." }),
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
    .meta({ description: "`actual` minus `stored`, only for states in which they differ." }),
  cost: z.strictObject({ stored: cost, actual: cost }),
};
