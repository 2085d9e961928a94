import type { MessageError, SendOutcome, StatusEvent } from "../../channels/channel.ts";
import type { SQL } from "../../db/client.ts";
import type { BaseCtx, Ctx, WorkspaceRef } from "../../shared/context.ts";
import { state } from "./messages.state.ts";
import {
  applyProgress,
  type Progress,
  settleFailed,
  settleHeld,
  settleRetry,
  settleSent,
  settleUnknown,
} from "./settle-messages.repository.ts";

const MAX_ATTEMPTS = 6;

/** 1, 4, 16, 64, 256 seconds after the first to fifth attempt, each up to a quarter more or less. */
const backoffMs = (attempt: number) => 1000 * 4 ** (attempt - 1) * (0.75 + Math.random() / 2);

/** No call was made, because the connection's pace allows none before `until` (ms since the epoch). */
export interface Held {
  kind: "held";
  until: number;
}

export interface Settlement {
  statement: SQL;
  /** When the message may be tried again, in ms since the epoch. */
  retryAt: number | null;
}

/** Turns what a claim came to into what is stored. Only a definite, transient refusal is tried again, six times in all. */
export function settlementOf(
  ctx: Ctx,
  { id, attempts }: { id: string; attempts: number },
  outcome: SendOutcome | Held,
): Settlement {
  switch (outcome.kind) {
    case "accepted":
      return { statement: settleSent(ctx, id, outcome.providerMessageId), retryAt: null };
    case "refused":
      return { statement: settleFailed(ctx, id, outcome.error), retryAt: null };
    case "lost":
      return { statement: settleUnknown(ctx, id), retryAt: null };
    case "held":
      return { statement: settleHeld(ctx, id, outcome.until), retryAt: outcome.until };
    case "retry": {
      if (attempts >= MAX_ATTEMPTS) return { statement: settleFailed(ctx, id, outcome.error), retryAt: null };
      const retryAt = Math.round(ctx.now() + Math.max(outcome.afterMs ?? 0, backoffMs(attempts)));
      return { statement: settleRetry(ctx, id, retryAt), retryAt };
    }
  }
}

const earliest = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.min(a, b));

/** Later states imply the earlier ones: what was read had been delivered and sent. */
function progressOf(
  { messageId, providerMessageId, status, at, error }: StatusEvent,
  place: { workspace: WorkspaceRef; connectionId: string },
): Progress {
  const reached = state[status];
  const failure: MessageError = error ?? {
    code: "undeliverable",
    message: "The provider could not deliver it.",
    providerCode: null,
  };
  return {
    id: messageId,
    workspaceId: place.workspace.id,
    connectionId: place.connectionId,
    providerMessageId,
    state: reached,
    sentAt: status === "failed" ? null : at,
    deliveredAt: reached >= state.delivered ? at : null,
    readAt: reached >= state.read ? at : null,
    failedAt: status === "failed" ? at : null,
    error: status === "failed" ? failure : null,
  };
}

function furthest(a: Progress, b: Progress): Progress {
  const ahead = a.state >= b.state ? a : b;
  return {
    ...ahead,
    sentAt: earliest(a.sentAt, b.sentAt),
    deliveredAt: earliest(a.deliveredAt, b.deliveredAt),
    readAt: earliest(a.readAt, b.readAt),
  };
}

export interface ReportedStatus {
  workspace: WorkspaceRef;
  connectionId: string;
  event: StatusEvent;
}

/** Applies statuses of one shard, in any order and any number of times, in one statement. */
export async function settleStatuses(base: BaseCtx, shard: number, reports: ReportedStatus[]): Promise<void> {
  const byMessage = new Map<string, Progress>();
  for (const report of reports) {
    const progress = progressOf(report.event, report);
    const key = `${progress.connectionId} ${progress.id}`;
    const known = byMessage.get(key);
    byMessage.set(key, known === undefined ? progress : furthest(known, progress));
  }
  if (byMessage.size > 0) await applyProgress(base.shard(shard), [...byMessage.values()]);
}
