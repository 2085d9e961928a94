import * as z from "zod";
import { boundedText, idCursorParam, limitParam, storedRevision, timestamp } from "../../http/fields.ts";
import { reservedTypesNote } from "../event-feed/event-feed.schemas.ts";
import { presentWebhookSummary, webhookSummary, webhookSummaryRecord } from "../event-feed/event-summaries.schemas.ts";
import { eventTypes, matchEventTypes } from "../events/events.types.ts";
import { iso, isoOrNull } from "../../shared/time/iso-times.ts";

const typePattern = z
  .string()
  .max(60)
  .refine((pattern) => matchEventTypes(pattern).length > 0, {
    error: ({ input }) =>
      `${JSON.stringify(input)} is not an event type. Send a type like contact.created, all types of an object like contact.*, or *.`,
    params: { code: "invalid_value" },
  });

const types = z
  .array(typePattern)
  .min(1)
  .max(100)
  .meta({ description: `Event types, \`<object>.*\` for all types of an object, or \`*\`. ${reservedTypesNote}` });

const url = z
  .url({ protocol: /^https?$/, error: "Must be a web address, like https://example.com/webhooks." })
  .max(2000)
  .meta({ description: "Public https URL. Must not be an address of this service." });

const connectionIds = z.array(z.string().min(1).max(60)).min(1).max(100).nullable().meta({
  description: "Ids of connections. Events that belong to another connection are not sent. Null for all connections.",
});
const batch = z
  .strictObject({
    max_events: z.int().min(1).max(100).meta({ description: "Number of events after which the batch is sent." }),
    max_wait_seconds: z
      .int()
      .min(0)
      .max(60)
      .meta({ description: "Time after the first event at which the batch is sent." }),
  })
  .nullable()
  .meta({
    description:
      "Collects events and sends them as `{events: […]}`, after `max_events` events or `max_wait_seconds` after the first event. Null sends each event separately.",
  });

const eventIdField = z
  .string()
  .regex(/^evt_[0-9a-z]{26}$/, "Must be the id of an event.")
  .meta({ description: "Id of an event." });

const settings = z.strictObject({
  url,
  description: boundedText(500).nullable().meta({ description: "Text for your own use." }),
  types,
  campaigns: webhookSummary.shape.campaigns,
  connection_ids: connectionIds,
  batch,
});

export const createWebhookBody = settings
  .partial({ description: true, campaigns: true, connection_ids: true, batch: true })
  .extend({
    start_after: eventIdField.optional().meta({
      description:
        "Id of the event after which the webhook starts. Default: the newest event, so that the webhook receives only new events.",
    }),
  });
export const updateWebhookBody = settings.partial();
export const rotateSecretBody = z.strictObject({
  overlap_seconds: z.int().min(0).max(604_800).default(86_400).meta({
    description: "How long requests are also signed with the previous secret.",
  }),
});
export const replayBody = z.strictObject({
  after: eventIdField.optional().meta({ description: "Only events after this event." }),
  before: eventIdField.optional().meta({ description: "Only events before this event." }),
  types: types.optional(),
  only: z.enum(["failed", "all"]).meta({
    description:
      "`failed`: deliveries that failed at every attempt. `all`: every event of the log that matches the webhook.",
  }),
});

export type WebhookSettings = z.infer<typeof settings>;
export type WebhookChange = z.infer<typeof updateWebhookBody>;

const sealedSecret = z.object({ sealed: z.string(), until: z.number().nullable() });

const webhookRecord = webhookSummaryRecord.extend({
  secrets: z.array(sealedSecret),
  start_after: z.number(),
  revision: storedRevision,
});
export type WebhookRecord = z.infer<typeof webhookRecord>;
export type WebhookRow = WebhookRecord & { revision: number };
export type WebhookStatus = WebhookRecord["status"];

const webhookProgress = z.object({
  sequence: z.number(),
  lastSuccessAt: z.number().nullable(),
  lastFailureAt: z.number().nullable(),
  /** Idempotency replays that an earlier version stored do not have this field. */
  failingSince: z.number().nullable().default(null),
});
export type WebhookProgress = z.infer<typeof webhookProgress>;

export const webhookState = z.object({
  webhook: webhookRecord,
  /** Stored idempotency replays use this key, so it cannot be renamed. */
  place: webhookProgress.nullable(),
  oldest: z.number(),
  newest: z.number(),
});
export type WebhookState = z.infer<typeof webhookState>;

export const webhookView = webhookSummary
  .extend({
    sequence: z
      .int()
      .meta({ description: "Every event up to this sequence number was delivered, abandoned or filtered out." }),
    lag: z.int().meta({ description: "Number of events in the log after `sequence`, matching or not." }),
    last_success_at: timestamp.nullable().meta({ description: "When the endpoint last returned 2xx." }),
    last_failure_at: timestamp.nullable(),
  })
  .meta({ id: "Webhook" });

const sequenceOf = ({ webhook, place }: WebhookState): number => place?.sequence ?? webhook.start_after;

export function presentWebhook(state: WebhookState): z.infer<typeof webhookView> {
  const sequence = sequenceOf(state);
  return {
    ...presentWebhookSummary(state.webhook),
    sequence,
    lag: Math.max(0, state.newest - sequence),
    last_success_at: isoOrNull(state.place?.lastSuccessAt ?? null),
    last_failure_at: isoOrNull(state.place?.lastFailureAt ?? null),
  };
}

export const skippedEvents = (state: WebhookState): number => Math.max(0, state.oldest - 1 - sequenceOf(state));

export const storedAttempt = z.object({
  at: z.number(),
  status: z.number().nullable(),
  duration_ms: z.number(),
  error: z.string().nullable(),
  response: z.string().nullable(),
});
export type DeliveryAttempt = z.infer<typeof storedAttempt>;

export const attemptView = z
  .strictObject({
    at: timestamp,
    status: z.int().nullable().meta({ description: "Null if there was no response." }),
    duration_ms: z.int().meta({ description: "Time until the response." }),
    error: z.string().nullable().meta({ description: "Error of the attempt. Null if it succeeded." }),
    response: z.string().nullable().meta({ description: "First 4 KB of the response." }),
  })
  .meta({ id: "WebhookAttempt" });

export const presentAttempt = ({ at, ...attempt }: DeliveryAttempt): z.infer<typeof attemptView> => ({
  at: iso(at),
  ...attempt,
});

const deliveryState = z.enum(["pending", "failed", "succeeded"]).meta({
  id: "WebhookDeliveryState",
  description: "`failed` after the last attempt. A replay sends the delivery again.",
});

export const loggedDelivery = z.object({
  id: z.string(),
  eventIds: z.array(z.string()),
  state: deliveryState,
  attempts: z.array(storedAttempt),
  nextAttemptAt: z.number().nullable(),
});
export type LoggedDelivery = z.infer<typeof loggedDelivery>;

export const deliveryView = z
  .strictObject({
    id: z.string(),
    event_ids: z
      .array(z.string())
      .meta({ description: "Events of the delivery: one event, unless the webhook has `batch`." }),
    state: deliveryState,
    attempts: z.array(attemptView).meta({ description: "Last 20 attempts, oldest first." }),
    next_attempt_at: timestamp.nullable(),
  })
  .meta({ id: "WebhookDelivery" });

export const presentDelivery = (delivery: LoggedDelivery): z.infer<typeof deliveryView> => ({
  id: delivery.id,
  event_ids: delivery.eventIds,
  state: delivery.state,
  attempts: delivery.attempts.map(presentAttempt),
  next_attempt_at: isoOrNull(delivery.nextAttemptAt),
});

export const listDeliveriesQuery = z.strictObject({
  state: deliveryState.optional().meta({ description: "Only deliveries in this state." }),
  event_id: eventIdField.optional().meta({ description: "Only deliveries that contain this event." }),
  limit: limitParam(),
  cursor: idCursorParam("dlv"),
});
export type DeliveriesQuery = z.infer<typeof listDeliveriesQuery>;

export function typesOf(patterns: readonly string[]): string[] {
  const named = new Set(patterns.flatMap((pattern) => matchEventTypes(pattern)));
  return eventTypes.filter((type) => named.has(type));
}
