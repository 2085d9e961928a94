import type { ConnectionNotice, SendOutcome } from "../../../channels/channel.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { noteConnection } from "../../connections/connection-status.sql.ts";
import { chooseMarketing, keysOfContacts } from "../../contacts/choose-marketing.sql.ts";
import { keepIdentities } from "../../contacts/identify-people.sql.ts";
import { noteCampaignMessages } from "../../conversations/conversations.sql.ts";
import { backoffMs, isLastAttempt } from "../messages.retries.ts";
import { lateState, type SkipReason, state } from "../messages.states.ts";
import { dropEchoes, type Fate, type SentAs, settle, type Settled } from "./settle-messages.sql.ts";
import { mergeEarly } from "./settle-statuses.sql.ts";

/** No call was made, because none may be made before `until` (ms since the epoch). */
export interface Held {
  kind: "held";
  until: number;
}

/** No call was made to a campaign's recipient, and none will be. */
export interface Skipped {
  kind: "skipped";
  reason: SkipReason;
}

/** A message that was claimed, and what that came to. */
export interface Attempted {
  id: string;
  /** Which attempt it was, counting from 1. */
  attempts: number;
  contactSeq: number;
  connectionId: string;
  /** Whether it is a campaign's. */
  campaign: boolean;
  outcome: SendOutcome | Held | Skipped;
  /** What was sent, where that was decided at the claim. */
  sent?: SentAs;
}

export interface Settlement {
  /** For one batch, in this order. */
  statements: SQL[];
  /** When each may be tried again, in ms since the epoch; in the order of the messages. */
  retryAts: (number | null)[];
}

const open: Omit<Fate, "to" | "below"> = {
  uncounted: 0,
  retryAt: null,
  sentAt: null,
  failedAt: null,
  providerMessageId: null,
  providerKey: null,
  error: null,
  late: null,
};

const HELD_LATE = {
  code: "provider_unreachable",
  message: "It was not handed to the provider in time.",
  providerCode: null,
};

/** Only a definite, transient refusal is tried again, six times in all. */
function fateOf(ctx: Ctx, { attempts, outcome }: Attempted): Fate {
  const now = ctx.now();
  const failed = { ...open, to: state.failed, below: state.failed, failedAt: now };
  const waiting = (error: NonNullable<Fate["error"]>) => {
    const late = { to: lateState(state.queued), failedAt: now, retryAt: null, error };
    return { ...open, to: state.queued, below: state.unknown, late };
  };
  switch (outcome.kind) {
    case "accepted": {
      const { providerMessageId, providerKey = null } = outcome;
      return { ...open, to: state.sent, below: state.sent, sentAt: now, providerMessageId, providerKey };
    }
    case "refused":
      return { ...failed, error: outcome.error };
    case "skipped": {
      const error = { code: outcome.reason, message: null, providerCode: null };
      return { ...failed, to: state.skipped, below: state.sent, uncounted: 1, error };
    }
    case "lost":
      return { ...open, to: state.unknown, below: state.unknown };
    case "held":
      return { ...waiting(HELD_LATE), uncounted: 1, retryAt: outcome.until };
    case "retry": {
      if (isLastAttempt(attempts)) return { ...failed, error: outcome.error };
      const retryAt = Math.round(ctx.now() + Math.max(outcome.afterMs ?? 0, backoffMs(attempts, ctx.random())));
      return { ...waiting(outcome.error), retryAt };
    }
  }
}

/** A provider might give one id twice: the first message has it. */
function withoutRepeatedKeys(settled: Settled[]): Settled[] {
  const seen = new Set<string>();
  return settled.map((each) => {
    if (each.providerKey === null) return each;
    const key = JSON.stringify([each.connectionId, each.providerKey]);
    const isRepeated = seen.has(key);
    seen.add(key);
    return isRepeated ? { ...each, providerKey: null } : each;
  });
}

/** What an outcome says of the connection, if anything. */
export const noticeOf = (outcome: Attempted["outcome"]): ConnectionNotice | undefined =>
  outcome.kind === "refused" || outcome.kind === "retry" ? outcome.notice : undefined;

function noticesOf(ctx: Ctx, settled: Attempted[]): SQL[] {
  const notices = new Map<string, { connectionId: string; notice: ConnectionNotice }>();
  for (const { connectionId, outcome } of settled) {
    const notice = noticeOf(outcome);
    if (notice !== undefined) notices.set(JSON.stringify([connectionId, notice]), { connectionId, notice });
  }
  return [...notices.values()].map(({ connectionId, notice }) => noteConnection(ctx, connectionId, notice, ctx.now()));
}

function identitiesOf(ctx: Ctx, settled: Attempted[]): SQL[] {
  const identities = settled.flatMap(({ connectionId, contactSeq, outcome }) =>
    outcome.kind === "accepted"
      ? (outcome.userIds ?? []).map((externalId) => ({ connectionId, contactSeq, externalId }))
      : [],
  );
  return identities.length === 0 ? [] : [keepIdentities(ctx, identities)];
}

/** Who the provider says has stopped marketing messages gets none from now on. */
function marketingStopsOf(ctx: Ctx, settled: Attempted[]): SQL[] {
  const seqs = settled.flatMap(({ contactSeq, outcome }) =>
    outcome.kind === "refused" && outcome.stopsMarketing === true ? [contactSeq] : [],
  );
  // One choice a person: a later choice of one of them must not keep the others' from being stored.
  return seqs.flatMap((seq) => chooseMarketing(ctx, keysOfContacts([seq]), { marketing: "stop", at: ctx.now() }));
}

/** A campaign's message shows in its conversation once it has left, or may have. */
function notesOf(ctx: Ctx, settled: Attempted[]): SQL[] {
  const left = settled.filter(
    ({ campaign, outcome: { kind } }) => campaign && (kind === "accepted" || kind === "lost"),
  );
  return left.length === 0 ? [] : [noteCampaignMessages(ctx, JSON.stringify(left.map(({ id }) => id)))];
}

/** Turns what claims came to into what is stored, for any number of different messages; again, it changes nothing. */
export function settlementsOf(ctx: Ctx, attempted: Attempted[]): Settlement {
  const settled = withoutRepeatedKeys(
    attempted.map((each) => {
      const { id, attempts, connectionId, sent = null } = each;
      return { id, attempts, connectionId, sent, ...fateOf(ctx, each) };
    }),
  );
  const keyed = settled.flatMap(({ id, connectionId, providerKey }) =>
    providerKey === null ? [] : [{ id, connectionId, providerKey }],
  );
  const keys = JSON.stringify(keyed);
  const statements = [
    ...(keyed.length === 0 ? [] : [dropEchoes(ctx, keys)]),
    ...settle(ctx, settled, { counted: attempted.some(({ campaign }) => campaign) }),
    ...(keyed.length === 0 ? [] : mergeEarly(ctx, keys)),
    ...notesOf(ctx, attempted),
    ...identitiesOf(ctx, attempted),
    ...noticesOf(ctx, attempted),
    ...marketingStopsOf(ctx, attempted),
  ];
  return { statements, retryAts: settled.map(({ retryAt }) => retryAt) };
}
