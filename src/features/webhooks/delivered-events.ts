import * as z from "zod";
import { eventComponent, eventFields, eventView, loggedTypes } from "../event-feed/event-feed.schemas.ts";
import { webhookSummary } from "../event-feed/event-summaries.schemas.ts";
import { eventMeanings } from "../events/events.types.ts";
import { ENDPOINT_TIMEOUT_MS } from "./sending/call-endpoint.ts";
import { RETRY_DELAYS_MS } from "./webhooks.retries.ts";

const TEST = "webhook.test";

const testEvent = z
  .strictObject({
    ...eventFields,
    type: z.literal(TEST),
    sequence: z.null().meta({ description: "Always null, because the event log does not contain tests." }),
    changes: z.null(),
    data: z.strictObject({ webhook: webhookSummary }),
  })
  .meta({
    id: eventComponent(TEST),
    description: "Test of a webhook. Sent regardless of the webhook's types, and not stored in the event log.",
  });

export const deliveredEvent = z
  .union([eventView, testEvent])
  .meta({ id: "DeliveredEvent", description: "Events that a webhook can receive." });

export const eventBatch = z.strictObject({ events: z.array(deliveredEvent).min(1).max(100) }).meta({
  id: "EventBatch",
  description: "Body of a request to a webhook with `batch`, also if the request has only one event.",
});

export const deliveredRequests = [
  ...loggedTypes.map((type) => ({
    name: type,
    component: eventComponent(type),
    summary: eventMeanings.get(type) ?? type,
  })),
  { name: TEST, component: eventComponent(TEST), summary: "A test of the webhook was requested." },
  { name: "batch", component: "EventBatch", summary: "Several events in one request, for a webhook with `batch`." },
];

export const receiverResponses = {
  "2XX": `Success, if the response arrives within ${ENDPOINT_TIMEOUT_MS / 1000} seconds.`,
  "410": "Rejected. Tidings disables the webhook and sends nothing more.",
  default: `Failed. Retried up to ${RETRY_DELAYS_MS.length} times within two days.`,
};
