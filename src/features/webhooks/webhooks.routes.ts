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

/** Another workspace's webhook returns 404, whatever the body. */
const idFirst = { lookUp: (ctx: Ctx, { id }: { id: string }) => requireWebhook(ctx, id) };

const answerWebhook = (state: WebhookState) => ({ webhook: presentWebhook(state), revision: state.webhook.revision });

const secret = z.string().meta({ description: "Begins with `whsec_`. It is shown here and never again." });
const skipped = z.int().meta({ description: "How many events were deleted from the log before it was sent them." });

webhooksApi.get(
  "/webhooks",
  {
    name: "webhooks.list",
    summary: "List webhooks, newest first",
    description: "A workspace has ten at most.",
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
      "Events of these types are sent to the address from now on, or from `start_after` on, signed as the Standard Webhooks specification says. " +
      "Events of one contact arrive in order, except that an event that has failed for more than five minutes no longer holds back " +
      "later ones. What is not answered with 2xx within 15 seconds is sent again after 5 s, 30 s, 5 min, " +
      "30 min, 2 h, 5 h, 10 h and 24 h. An event may arrive more than once: its `webhook-id` is the same each time.",
    body: createWebhookBody,
    example: { url: "https://hooks.example.org/tidings", types: ["message.*", "contact.created"] },
    status: 201,
    response: { webhook: webhookView, secret },
    isRevisioned: true,
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
    description: "Its settings, whether it works, and how far it has come.",
    response: { webhook: webhookView },
    isRevisioned: true,
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
    description: "Fields you leave out stay as they are. The next request uses the new settings.",
    body: updateWebhookBody,
    example: { description: "Orders", campaigns: "exclude" },
    response: { webhook: webhookView },
    isRevisioned: true,
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
    description: "Nothing is sent any more. Answers the webhook as it was.",
    response: { webhook: webhookView },
    isRevisioned: true,
    errors: ["not_found"],
  },
  async (ctx, { params }) => answerWebhook(await deleteWebhook(ctx, params.id)),
);

webhooksApi.post(
  "/webhooks/:id/rotate-secret",
  {
    name: "webhooks.rotateSecret",
    ...idFirst,
    summary: "Make a new signing secret",
    description: "Until `overlap_seconds` are over, requests carry a signature of each secret.",
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
    description:
      "Sends an event of type `webhook.test` at once, also to a paused webhook, and answers what came of it.",
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
    description: "Events wait in the log, for 30 days.",
    response: { webhook: webhookView, skipped },
    isRevisioned: true,
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
      "It goes on where it was paused, disabled, or kept failing. Its endpoint is given another chance at once: all deliveries " +
      "that wait for their next try are sent now, also those of a webhook that is active, and the tries they have used up still " +
      "count. Each contact's events stay in order.",
    response: { webhook: webhookView, skipped },
    isRevisioned: true,
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
    summary: "Send events again",
    description:
      "`failed`: what was given up after its last try. `all`: every event of the log in the range that the webhook wants; " +
      "`count` is then how many events the range holds, filters aside.",
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
      "Whatever failed once, for 7 days (the last 10,000 that are done with), and the last 100 that went well at once.",
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
    description: "Sends it at once, with all its tries, whatever came of it before.",
    status: 202,
    response: { delivery: deliveryView },
    errors: ["not_found"],
  },
  async (ctx, { params }) => ({ delivery: presentDelivery(await retryDelivery(ctx, params.id, params.delivery)) }),
);
