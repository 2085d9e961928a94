import * as z from "zod";
import type { Late } from "../../db/late.ts";
import { transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError, askObject, notFound } from "../../shared/errors.ts";
import { decideAndCommit } from "../commits/decide-and-commit.ts";
import { eventActor } from "../events/append-events.sql.ts";
import { presentWebhookSummary } from "../event-feed/event-summaries.schemas.ts";
import { findSequence } from "../event-feed/event-feed.service.ts";
import { findReplay, requestKey, selectReplay } from "../idempotency/idempotency.service.ts";
import { openWebhook, signingSecrets } from "./open-webhook.ts";
import { MAX_REPLAYS } from "./sending/event-reader.ts";
import {
  type DeliveryAttempt,
  type DeliveriesQuery,
  type LoggedDelivery,
  loggedDelivery,
  storedAttempt,
  typesOf,
  type WebhookState,
} from "./webhooks.schemas.ts";
import { checkUrl, requireWebhook, senderOf } from "./webhooks.service.ts";
import { selectWebhookState } from "./webhooks.sql.ts";

/**
 * Stores the answer, so that a later request with the same Idempotency-Key returns it and does not act again. If the
 * first request ended before its answer was stored, the later request acts again. Concurrent requests act once, because
 * the object of the webhook shares the answer between them.
 */
async function actOnce<R>(
  ctx: Ctx,
  id: string,
  shape: z.ZodType<R>,
  act: (state: WebhookState) => Promise<{ answer: Late<R> }>,
): Promise<R> {
  const { webhooks, replays } = await transact(ctx.db, {
    webhooks: selectWebhookState(ctx, id),
    replays: selectReplay(ctx),
  });
  const [row] = webhooks;
  if (row === undefined) throw notFound("webhook");
  const replay = findReplay(ctx, replays, shape);
  if (replay !== null) return replay;
  const { answer } = await act({ ...row, place: null });
  return decideAndCommit(ctx, {
    shape,
    reads: {},
    expectsNothing: true,
    decide: () => ({ writes: [], events: [], answer }),
  });
}

export const testWebhook = (ctx: Ctx, id: string, origin: string): Promise<DeliveryAttempt> =>
  actOnce(ctx, id, storedAttempt, async ({ webhook }) => ({ answer: await sendTest(ctx, webhook, origin) }));

async function sendTest(ctx: Ctx, webhook: WebhookState["webhook"], origin: string): Promise<DeliveryAttempt> {
  checkUrl(ctx, webhook.url, origin);
  const now = ctx.now();
  const testId = ctx.newId("dlv");
  const event = {
    id: testId,
    sequence: null,
    type: "webhook.test",
    created_at: new Date(now).toISOString(),
    actor: eventActor(ctx.actor),
    object_id: webhook.id,
    data: { webhook: presentWebhookSummary(webhook) },
    changes: null,
  };
  const request = {
    url: webhook.url,
    secrets: signingSecrets(await openWebhook(ctx, webhook), now),
    id: testId,
    body: JSON.stringify(webhook.batch === null ? event : { events: [event] }),
  };
  return askObject(async () => senderOf(ctx, webhook.id).sendTest(request, requestKey(ctx)));
}

export async function listDeliveries(
  ctx: Ctx,
  id: string,
  { state, event_id: eventId, limit, cursor }: DeliveriesQuery,
): Promise<LoggedDelivery[]> {
  await requireWebhook(ctx, id);
  return askObject(async () => senderOf(ctx, id).listDeliveries({ state, eventId, before: cursor?.[0], limit }));
}

export const retryDelivery = (ctx: Ctx, id: string, deliveryId: string): Promise<LoggedDelivery> =>
  actOnce(ctx, id, loggedDelivery, async () => {
    const delivery = await askObject(async () => senderOf(ctx, id).retry(deliveryId, requestKey(ctx)));
    if (delivery === null) throw notFound("delivery");
    return { answer: delivery };
  });

export interface ReplayRequest {
  after?: string | undefined;
  before?: string | undefined;
  types?: string[] | undefined;
  only: "failed" | "all";
}

export const replayEvents = (ctx: Ctx, id: string, { after, before, ...request }: ReplayRequest): Promise<number> =>
  actOnce(ctx, id, z.number(), async (state) => ({
    answer: await startReplay(ctx, state, {
      ...request,
      after: after === undefined ? undefined : await findSequence(ctx, after),
      before: before === undefined ? undefined : await findSequence(ctx, before),
    }),
  }));

export const replayRange = (ctx: Ctx, id: string, range: ReplayedRange): Promise<number> =>
  actOnce(ctx, id, z.number(), async (state) => ({ answer: await startReplay(ctx, state, range) }));

interface ReplayedRange extends Pick<ReplayRequest, "types" | "only"> {
  after: number | undefined;
  before: number | undefined;
}

async function startReplay(
  ctx: Ctx,
  { webhook, oldest, newest }: WebhookState,
  { after = 0, before = newest + 1, types, only }: ReplayedRange,
): Promise<number> {
  const range = {
    after,
    before,
    types: types === undefined ? null : typesOf(types),
  };
  const kept = { ...range, after: Math.max(range.after, oldest - 1), before: Math.min(range.before, newest + 1) };
  const count = await askObject(async () =>
    senderOf(ctx, webhook.id).replay(only === "failed" ? range : kept, only === "failed", requestKey(ctx)),
  );
  if (count === null)
    throw new AppError("invalid_state", `${MAX_REPLAYS} replays are already waiting. Try again later.`, {
      status: webhook.status,
    });
  return count;
}
