import * as z from "zod";
import { publicApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { idCursorParam, limitParam, page } from "../../http/fields.ts";
import type { Ctx } from "../../shared/context.ts";
import { listDeliveries, replayEvents, retryDelivery, testWebhook } from "./inspect-deliveries.ts";
import {
  attemptView,
  createWebhookBody,
  deliveryView,
  listDeliveriesQuery,
  presentAttempt,
  presentDelivery,
  presentWebhook,
  replayBody,
  rotateSecretBody,
  skippedEvents,
  updateWebhookBody,
  type WebhookState,
  webhookView,
} from "./webhooks.schemas.ts";
import {
  createWebhook,
  deleteWebhook,
  enableWebhook,
  getWebhook,
  listWebhooks,
  pauseWebhook,
  requireWebhook,
  rotateSecret,
  updateWebhook,
} from "./webhooks.service.ts";

export const webhooksApi = createApi("Webhooks", publicApi);

/**
 * Looks up the id before the body is parsed, so that an id of another workspace returns 404 even if the body is
 * invalid.
 */
const idFirst = { lookUp: (ctx: Ctx, { id }: { id: string }) => requireWebhook(ctx, id) };

const answerWebhook = (state: WebhookState) => ({ webhook: presentWebhook(state), revision: state.webhook.revision });

const secret = z.string().meta({ description: "Starts with `whsec_`. Returned only in this response." });
const skipped = z
  .int()
  .meta({ description: "Number of events deleted from the log before this webhook received them." });

webhooksApi.get(
  "/webhooks",
  {
    name: "webhooks.list",
    summary: "List webhooks, newest first",
    description: "A workspace has at most ten webhooks.",
    query: z.strictObject({ limit: limitParam(), cursor: idCursorParam("wh") }),
    response: { webhooks: z.array(webhookView), next_cursor: z.string().nullable() },
  },
  async (ctx, { query: { limit, cursor } }) => {
    const { items, nextCursor } = page(await listWebhooks(ctx, limit, cursor?.[0]), limit, ({ webhook }) => [
      webhook.id,
    ]);
    return { webhooks: items.map(presentWebhook), next_cursor: nextCursor };
  },
);

webhooksApi.post(
  "/webhooks",
  {
    name: "webhooks.create",
    summary: "Create a webhook",
    description:
      "Sends events of these types to the URL from now on, or after `start_after`, signed as Standard Webhooks specifies. " +
      "Events of one contact arrive in order. An event that has failed for more than five minutes no longer delays " +
      "later events. Without a 2xx response within 15 seconds, an event is sent again after 5 s, 30 s, 5 min, " +
      "30 min, 2 h, 5 h, 10 h and 24 h. An event can arrive more than once, with the same `webhook-id`.",
    body: createWebhookBody,
    example: { url: "https://hooks.example.org/tidings", types: ["message.*", "contact.created"] },
    status: 201,
    response: { webhook: webhookView, secret },
    returnsETag: true,
    errors: ["not_found", "conflict"],
  },
  async (ctx, { body, origin }) => {
    const { state, secret: made } = await createWebhook(ctx, body, origin);
    return { ...answerWebhook(state), secret: made };
  },
);

webhooksApi.get(
  "/webhooks/:id",
  {
    name: "webhooks.get",
    summary: "Get a webhook",
    description: "Returns the webhook's settings, its status and its progress in the event log.",
    response: { webhook: webhookView },
    returnsETag: true,
    errors: ["not_found"],
  },
  async (ctx, { params }) => answerWebhook(await getWebhook(ctx, params.id)),
);

webhooksApi.patch(
  "/webhooks/:id",
  {
    name: "webhooks.update",
    ...idFirst,
    summary: "Change a webhook",
    description: "Changes only the fields that are sent. The change applies to the next delivery.",
    body: updateWebhookBody,
    example: { description: "Orders", campaigns: "exclude" },
    response: { webhook: webhookView },
    returnsETag: true,
    errors: ["not_found"],
  },
  async (ctx, { params, body, origin }) => answerWebhook(await updateWebhook(ctx, params.id, body, origin)),
);

webhooksApi.delete(
  "/webhooks/:id",
  {
    name: "webhooks.delete",
    ...idFirst,
    summary: "Delete a webhook",
    description: "Stops deliveries and returns the deleted webhook.",
    response: { webhook: webhookView },
    returnsETag: true,
    errors: ["not_found"],
  },
  async (ctx, { params }) => answerWebhook(await deleteWebhook(ctx, params.id)),
);

webhooksApi.post(
  "/webhooks/:id/rotate-secret",
  {
    name: "webhooks.rotateSecret",
    ...idFirst,
    summary: "Rotate the signing secret",
    description:
      "Until `overlap_seconds` have passed, each request has a signature with the old secret and one with the new secret. Replace the secret at your endpoint during this time. Further rotations during this time add signatures, up to five; one valid signature is enough.",
    body: rotateSecretBody,
    isBodyOptional: true,
    example: { overlap_seconds: 3600 },
    response: { secret },
    errors: ["not_found", "invalid_state"],
  },
  async (ctx, { params, body }) => ({ secret: await rotateSecret(ctx, params.id, body.overlap_seconds) }),
);

webhooksApi.post(
  "/webhooks/:id/test",
  {
    name: "webhooks.test",
    ...idFirst,
    summary: "Send a test event",
    description: "Sends an event of type `webhook.test` immediately, also to a paused webhook, and returns the result.",
    response: { attempt: attemptView },
    errors: ["not_found"],
  },
  async (ctx, { params, origin }) => ({ attempt: presentAttempt(await testWebhook(ctx, params.id, origin)) }),
);

webhooksApi.post(
  "/webhooks/:id/pause",
  {
    name: "webhooks.pause",
    ...idFirst,
    summary: "Pause a webhook",
    description: "Stops deliveries. Events wait in the log for up to 30 days, so that `webhooks.enable` can send them.",
    response: { webhook: webhookView, skipped },
    returnsETag: true,
    errors: ["not_found"],
  },
  async (ctx, { params }) => {
    const state = await pauseWebhook(ctx, params.id);
    return { ...answerWebhook(state), skipped: skippedEvents(state) };
  },
);

webhooksApi.post(
  "/webhooks/:id/enable",
  {
    name: "webhooks.enable",
    ...idFirst,
    summary: "Enable a webhook",
    description:
      "Continues after the last completed event of a paused, disabled or failing webhook. Sends all waiting deliveries immediately, " +
      "also if the webhook is active. Earlier attempts of a delivery still " +
      "count toward its maximum. Each contact's events stay in order.",
    response: { webhook: webhookView, skipped },
    returnsETag: true,
    errors: ["not_found"],
  },
  async (ctx, { params }) => {
    const state = await enableWebhook(ctx, params.id);
    return { ...answerWebhook(state), skipped: skippedEvents(state) };
  },
);

webhooksApi.post(
  "/webhooks/:id/replay",
  {
    name: "webhooks.replay",
    ...idFirst,
    summary: "Replay events",
    description:
      "With `failed`, sends deliveries that failed at every attempt. With `all`, sends every event in the range that matches the webhook; " +
      "`count` is then the number of all events in the range, regardless of filters.",
    body: replayBody,
    example: { only: "failed" },
    status: 202,
    response: { replay: z.strictObject({ count: z.int() }) },
    errors: ["not_found", "invalid_state"],
  },
  async (ctx, { params, body }) => ({ replay: { count: await replayEvents(ctx, params.id, body) } }),
);

webhooksApi.get(
  "/webhooks/:id/deliveries",
  {
    name: "webhooks.deliveries",
    summary: "List deliveries, newest first",
    description:
      "Returns deliveries of the last 7 days that failed at least once, and the last 100 deliveries that succeeded at the first attempt. Of the failed deliveries that have ended, only the last 10,000 are stored.",
    query: listDeliveriesQuery,
    response: { deliveries: z.array(deliveryView), next_cursor: z.string().nullable() },
    errors: ["not_found"],
  },
  async (ctx, { params, query }) => {
    const { items, nextCursor } = page(await listDeliveries(ctx, params.id, query), query.limit, ({ id }) => [id]);
    return { deliveries: items.map(presentDelivery), next_cursor: nextCursor };
  },
);

webhooksApi.post(
  "/webhooks/:id/deliveries/:delivery/retry",
  {
    name: "webhooks.retryDelivery",
    ...idFirst,
    summary: "Retry a delivery",
    description:
      "Sends the delivery again immediately, whether it failed or succeeded. If the attempt fails, Tidings retries as often as for a new delivery.",
    status: 202,
    response: { delivery: deliveryView },
    errors: ["not_found"],
  },
  async (ctx, { params }) => ({ delivery: presentDelivery(await retryDelivery(ctx, params.id, params.delivery)) }),
);
