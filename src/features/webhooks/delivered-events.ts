// Documents the requests that webhooks send.
import * as z from "zod";
import { eventComponent, eventFields, eventView, loggedTypes } from "../event-feed/event-feed.schemas.ts";
import { webhookSummary } from "../event-feed/event-summaries.schemas.ts";
import { eventMeanings } from "../events/events.types.ts";
import { ENDPOINT_ANSWER_MS } from "./sending/call-endpoint.ts";
import { RETRY_DELAYS_MS } from "./webhooks.retries.ts";

const TEST = "webhook.test";

/** Sent by a webhook test and not stored in the log. */
const testEvent = z
  .strictObject({
    ...eventFields,
    type: z.literal(TEST),
    sequence: z.null().meta({ description: "It is not in the log." }),
    changes: z.null(),
    data: z.strictObject({ webhook: webhookSummary }),
  })
  .meta({
    id: eventComponent(TEST),
    description: "Somebody tests a webhook. It is sent whatever the types of the webhook, and is not in the log.",
  });

export const deliveredEvent = z
  .union([eventView, testEvent])
  .meta({ id: "DeliveredEvent", description: "The events that a webhook may be sent." });

export const eventBatch = z.strictObject({ events: z.array(deliveredEvent).min(1).max(100) }).meta({
  id: "EventBatch",
  description: "What a webhook with `batch` is sent, also where there is one event only.",
});

/** Each request by name, with its component. */
export const deliveredRequests = [
  ...loggedTypes.map((type) => ({
    name: type,
    component: eventComponent(type),
    summary: eventMeanings.get(type) ?? type,
  })),
  { name: TEST, component: eventComponent(TEST), summary: "Somebody tests the webhook." },
  { name: "batch", component: "EventBatch", summary: "Several events at once, to a webhook with `batch`." },
];

/** What each response status of an endpoint causes. */
export const deliveryAnswers = {
  "2XX": `Taken, within ${ENDPOINT_ANSWER_MS / 1000} seconds.`,
  "410": "Not wanted any more: the webhook is disabled.",
  default: `Sent again, up to ${RETRY_DELAYS_MS.length} times within two days.`,
};
