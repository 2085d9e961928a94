import type { SendOutcome } from "../../../channels/channel.ts";
import { isLastAttempt, nextAttemptTime } from "../messages.delays.ts";
import type { MessageError } from "../../../channels/channel-events.ts";
import { stateAfterGivenUp, type SkipReason, state } from "../messages.states.ts";

export interface Held {
  kind: "held";
  until: number;
}

/** The result for a recipient of a campaign to whom we never send the message. */
export interface Skipped {
  kind: "skipped";
  reason: SkipReason;
}

export type AttemptOutcome = SendOutcome | Held | Skipped;

export interface StoredError {
  code: MessageError["code"] | SkipReason;
  message: string | null;
  providerCode: string | null;
}

export interface MessageSettlement {
  /** The new state, which is stored only if the message's current state ranks below `below`. */
  to: number;
  below: number;
  /** 1 if no call was made. The attempt then does not count towards the maximum. */
  uncounted: 0 | 1;
  retryAt: number | null;
  sentAt: number | null;
  failedAt: number | null;
  providerMessageId: string | null;
  /** Identifies the message in status reports that do not contain our id. */
  providerKey: string | null;
  /**
   * 1 if the key differs from `providerMessageId`. It must then be stored at once. 0 if the key can be stored later,
   * when a report first needs it.
   */
  storesKey: 0 | 1;
  error: StoredError | null;
  /** These fields replace the fields above if the claim has expired and the message is already `unknown`. */
  late: { to: number; failedAt: number; retryAt: null; error: StoredError } | null;
}

const nothingKnown: Omit<MessageSettlement, "to" | "below"> = {
  uncounted: 0,
  retryAt: null,
  sentAt: null,
  failedAt: null,
  providerMessageId: null,
  providerKey: null,
  storesKey: 0,
  error: null,
  late: null,
};

const HELD_TOO_LONG: StoredError = {
  code: "provider_unreachable",
  message: "The message was not sent to the provider in time.",
  providerCode: null,
};

interface AttemptEnd {
  attempts: number;
  outcome: AttemptOutcome;
}

/**
 * Decides the message's next state from the outcome of a call. If the response was lost, the provider might have
 * accepted the message, so we never send it again.
 */
export function decideSettlement(
  { attempts, outcome }: AttemptEnd,
  { now, random }: { now: number; random: () => number },
): MessageSettlement {
  const failed = { ...nothingKnown, to: state.failed, below: state.failed, failedAt: now };
  const queuedUntil = (retryAt: number, error: StoredError) => ({
    ...nothingKnown,
    to: state.queued,
    below: state.unknown,
    retryAt,
    late: { to: stateAfterGivenUp(state.queued), failedAt: now, retryAt: null, error },
  });
  switch (outcome.kind) {
    case "accepted": {
      const { providerMessageId, providerKey = providerMessageId } = outcome;
      const storesKey = outcome.providerKey === undefined ? 0 : 1;
      const sent = { ...nothingKnown, to: state.sent, below: state.sent, sentAt: now };
      return { ...sent, providerMessageId, providerKey, storesKey };
    }
    case "refused":
      return { ...failed, error: outcome.error };
    case "skipped": {
      const error = { code: outcome.reason, message: null, providerCode: null };
      return { ...failed, to: state.skipped, below: state.sent, uncounted: 1, error };
    }
    case "lost":
      return { ...nothingKnown, to: state.unknown, below: state.unknown };
    case "held":
      return { ...queuedUntil(outcome.until, HELD_TOO_LONG), uncounted: 1 };
    case "retry": {
      if (isLastAttempt(attempts)) return { ...failed, error: outcome.error };
      const time = nextAttemptTime(attempts, { now, chance: random(), requestedMs: outcome.afterMs });
      return queuedUntil(time, outcome.error);
    }
  }
}
