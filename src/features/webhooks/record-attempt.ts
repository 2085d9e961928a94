import type { Ctx } from "../../shared/context.ts";
import { log } from "../../shared/logger.ts";
import { decideAndCommit } from "../commits/decide-and-commit.ts";
import type { EndpointAnswer } from "./call-endpoint.ts";
import type { SenderState } from "./sender-state.ts";
import { changeStatus } from "./webhooks.changes.ts";
import type { Delivery } from "./webhooks.deliveries.ts";
import { healthAfter, retryDelayMs, startProbing, statusChanges, type Transition } from "./webhooks.retries.ts";
import { selectWebhook, updateWebhookRow } from "./webhooks.sql.ts";

/** Statuses by which an endpoint says that it has too much to do, not that it dislikes this delivery. */
const OVERLOADED = [429, 503];
const GONE = 410;

interface Ended {
  delivery: Delivery;
  /** Known when the attempt begins. A probe uses up none of the delivery's tries. */
  isProbe: boolean;
  answer: EndpointAnswer;
  now: number;
  random: number;
}

function recordSuccess(state: SenderState, { delivery, answer: { attempt }, now }: Ended): void {
  const isKnown = state.log.has(delivery.id);
  if (delivery.firstFailedAt !== null) state.log.putSettled(delivery, "succeeded", attempt, now);
  else {
    if (isKnown) state.log.delete(delivery.id);
    const eventIds = delivery.events.map(({ id }) => id);
    state.addRecent({ id: delivery.id, eventIds, state: "succeeded", attempts: [attempt], nextAttemptAt: null });
  }
  state.backlog.settle(delivery.id, null);
}

function recordFailure(state: SenderState, { delivery, isProbe, answer, now, random }: Ended): void {
  const tries = delivery.tries + (isProbe ? 0 : 1);
  const delay = isProbe ? 0 : retryDelayMs(tries, random);
  const failed = { ...delivery, tries, firstFailedAt: delivery.firstFailedAt ?? now, lastAttemptAt: now };
  if (delay === null) {
    state.log.putSettled(failed, "failed", answer.attempt, now);
    state.backlog.settle(delivery.id, null);
    return;
  }
  const next = { ...failed, dueAt: now + Math.max(delay, answer.retryAfterMs ?? 0) };
  state.log.putPending(next, answer.attempt);
  state.backlog.settle(delivery.id, next);
}

/** Stores what an attempt came to; gives the change of the webhook's status that follows from it. */
export function recordAttempt(state: SenderState, ended: Ended): Transition | null {
  const { isProbe, answer, now, random } = ended;
  const { status } = answer.attempt;
  if (answer.isSuccess) recordSuccess(state, ended);
  else recordFailure(state, ended);
  const outcome = {
    isProbe,
    isSuccess: answer.isSuccess,
    isTimeout: answer.isTimeout,
    isGone: status === GONE,
    pauseMs: OVERLOADED.includes(status ?? 0) ? answer.retryAfterMs : null,
  };
  const { health, transition } = healthAfter(state.health, outcome, { now, random });
  state.health = transition === "probing" ? startProbing(health, now, random) : health;
  if (transition === "recovered") state.makeDue(now);
  if (!answer.isSuccess) state.save();
  return transition;
}

/** Shows the webhook in its new status, unless somebody has changed it meanwhile. */
export async function storeTransition(state: SenderState, ctx: Ctx, id: string, transition: Transition): Promise<void> {
  const { from, to, reason } = statusChanges[transition];
  const now = ctx.now();
  try {
    await decideAndCommit(ctx, {
      shape: null,
      reads: { webhooks: selectWebhook(ctx, id) },
      decide({ webhooks: [webhook] }) {
        if (webhook === undefined || !from.includes(webhook.status)) return { writes: [], events: [], answer: null };
        const changed = changeStatus(webhook, { status: to, reason, isRequested: false }, now);
        return { writes: updateWebhookRow(ctx, webhook, changed.webhook), events: changed.events, answer: null };
      },
    });
  } catch (error) {
    log.error("webhook_status_not_stored", { requestId: ctx.requestId, webhookId: id, status: to, error });
  }
  state.noteChange();
}
