import type { MessageError, SendOutcome, StatusEvent } from "../../channels/channel.ts";
import type { SQL } from "../../db/client.ts";
import type { BaseCtx, Ctx, WorkspaceRef } from "../../shared/context.ts";
import { noteConnection } from "../connections/connections.service.ts";
import { keepIdentity } from "../contacts/contacts.service.ts";
import { state } from "./messages.state.ts";
import {
  deleteEarly,
  dropEcho,
  mergeEarly,
  type Progress,
  saveProgress,
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
  statements: SQL[];
  /** When the message may be tried again, in ms since the epoch. */
  retryAt: number | null;
}

/** A message that a call was made for. */
interface Attempted {
  id: string;
  attempts: number;
  contactSeq: number;
  connectionId: string;
}

/** Turns what a claim came to into what is stored. Only a definite, transient refusal is tried again, six times in all. */
export function settlementOf(
  ctx: Ctx,
  { id, attempts, contactSeq, connectionId }: Attempted,
  outcome: SendOutcome | Held,
): Settlement {
  const notice = "notice" in outcome ? outcome.notice : undefined;
  const noted = notice === undefined ? [] : [noteConnection(ctx, connectionId, notice, ctx.now())];
  switch (outcome.kind) {
    case "accepted": {
      const { providerMessageId, providerKey = null, userId } = outcome;
      const statements = [
        ...(providerKey === null ? [] : [dropEcho(ctx, id, connectionId, providerKey)]),
        settleSent(ctx, id, providerMessageId, providerKey),
        ...(providerKey === null ? [] : mergeEarly(ctx, connectionId, providerKey)),
        ...(userId === undefined ? [] : [keepIdentity(ctx, connectionId, userId, contactSeq)]),
      ];
      return { statements, retryAt: null };
    }
    case "refused":
      return { statements: [settleFailed(ctx, id, outcome.error), ...noted], retryAt: null };
    case "lost":
      return { statements: [settleUnknown(ctx, id)], retryAt: null };
    case "held":
      return { statements: [settleHeld(ctx, id, outcome.until)], retryAt: outcome.until };
    case "retry": {
      if (attempts >= MAX_ATTEMPTS)
        return { statements: [settleFailed(ctx, id, outcome.error), ...noted], retryAt: null };
      const retryAt = Math.round(ctx.now() + Math.max(outcome.afterMs ?? 0, backoffMs(attempts)));
      return { statements: [settleRetry(ctx, id, retryAt), ...noted], retryAt };
    }
  }
}

const earliest = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.min(a, b));

/** Later states imply the earlier ones: what was read had been delivered and sent. */
export function progressOf(
  { messageId, providerMessageId, providerKey, status, at, error }: StatusEvent,
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
    providerKey: providerKey ?? providerMessageId,
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

/** Applies statuses of one shard, in any order and any number of times, in one trip of at most two statements. */
export async function settleStatuses(base: BaseCtx, shard: number, reports: ReportedStatus[]): Promise<void> {
  const byMessage = new Map<string, Progress>();
  for (const report of reports) {
    const progress = progressOf(report.event, report);
    const key = JSON.stringify([progress.connectionId, progress.id, progress.id ?? progress.providerKey]);
    const known = byMessage.get(key);
    byMessage.set(key, known === undefined ? progress : furthest(known, progress));
  }
  if (byMessage.size > 0) await saveProgress(base.shard(shard), [...byMessage.values()], base.now());
}

const DAY_MS = 86_400_000;

/** Forgets statuses that no settlement has come for: they are of messages that others sent. */
export const forgetEarlyStatuses = (base: BaseCtx, shard: number): Promise<void> =>
  deleteEarly(base.shard(shard), base.now() - DAY_MS);
