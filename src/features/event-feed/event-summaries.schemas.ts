import * as z from "zod";
import { timestamp } from "../../http/fields.ts";
import { iso } from "../../shared/time/iso-times.ts";
import { connectionView } from "../connections/connections.schemas.ts";

export const connectionInEvent = connectionView
  .pick({ id: true, name: true, channel: true, provider: true, status: true, status_detail: true })
  .meta({ id: "ConnectionSummary" });

/** A webhook without its delivery progress, which only the webhook's Durable Object stores. */
export const webhookSummary = z
  .strictObject({
    id: z.string(),
    url: z.string(),
    description: z.string().nullable(),
    types: z.array(z.string()),
    campaigns: z.enum(["include", "exclude", "only"]).meta({
      id: "WebhookCampaigns",
      description:
        "Which message events to send: `include` sends all, `exclude` omits events of campaign messages, `only` sends just events of campaign messages.",
    }),
    connection_ids: z.array(z.string()).nullable().meta({ description: "Null for all connections." }),
    batch: z.strictObject({ max_events: z.int(), max_wait_seconds: z.int() }).nullable(),
    status: z.enum(["active", "probing", "paused", "disabled"]).meta({
      id: "WebhookStatus",
      description:
        "`probing` after 20 failures in a row: Tidings makes one scheduled attempt at a time until an attempt succeeds. `disabled` after five days of probing, " +
        "or if the endpoint returned 410.",
    }),
    status_reason: z.string().nullable().meta({ description: "Reason for a status other than `active`." }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "WebhookSummary" });

export const webhookSummaryRecord = webhookSummary.extend({ created_at: z.number(), updated_at: z.number() });

export const presentWebhookSummary = (
  record: z.infer<typeof webhookSummaryRecord>,
): z.infer<typeof webhookSummary> => ({
  id: record.id,
  url: record.url,
  description: record.description,
  types: record.types,
  campaigns: record.campaigns,
  connection_ids: record.connection_ids,
  batch: record.batch,
  status: record.status,
  status_reason: record.status_reason,
  created_at: iso(record.created_at),
  updated_at: iso(record.updated_at),
});
