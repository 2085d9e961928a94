import type { ConnectionNotice } from "../../../channels/channel.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { updateConnectionStatus } from "../../connections/connection-status.sql.ts";
import { storeMarketingChoice, optOutKeysOfContacts } from "../../contacts/choose-marketing.sql.ts";
import { upsertReportedIdentities } from "../../contacts/identify-people.sql.ts";
import { updateLastCampaignMessages } from "../../conversations/conversations.sql.ts";
import { type AttemptOutcome, decideSettlement } from "./decide-settlement.ts";
import { deleteEchoes, type SentContent, type SettledAttempt, updateSettled } from "./settle-messages.sql.ts";
import { applyEarlyStatuses } from "./settle-statuses.sql.ts";

/** One attempt to send a message, and its outcome. Queue messages hold it: its names stay. */
export interface MessageAttempt {
  /** The message's. */
  id: string;
  /** The number of the attempt, from 1. */
  attempts: number;
  contactSeq: number;
  connectionId: string;
  /** True for a campaign's message. */
  campaign: boolean;
  outcome: AttemptOutcome;
  /** The content, where it was decided at the claim. */
  sent?: SentContent;
}

interface SettlementPlan {
  /** For one batch, in this order. */
  statements: SQL[];
  /** The time of each next attempt, in ms since the epoch; in the order of the messages. */
  retryAts: (number | null)[];
}

/** A provider might give one id to several messages: the first one keeps it. */
function withoutRepeatedKeys(attempts: SettledAttempt[]): SettledAttempt[] {
  const seen = new Set<string>();
  return attempts.map((attempt) => {
    if (attempt.providerKey === null) return attempt;
    const key = JSON.stringify([attempt.connectionId, attempt.providerKey]);
    const isRepeated = seen.has(key);
    seen.add(key);
    return isRepeated ? { ...attempt, providerKey: null } : attempt;
  });
}

/** The news of an outcome about its connection, if there is any. */
export const connectionNotice = (outcome: AttemptOutcome): ConnectionNotice | undefined =>
  outcome.kind === "refused" || outcome.kind === "retry" ? outcome.notice : undefined;

/** Stores each notice once, however many messages it came with. */
function updateConnections(ctx: Ctx, attempts: MessageAttempt[]): SQL[] {
  const notices = new Map<string, { connectionId: string; notice: ConnectionNotice }>();
  for (const { connectionId, outcome } of attempts) {
    const notice = connectionNotice(outcome);
    if (notice !== undefined) notices.set(JSON.stringify([connectionId, notice]), { connectionId, notice });
  }
  return [...notices.values()].map(({ connectionId, notice }) =>
    updateConnectionStatus(ctx, connectionId, notice, ctx.now()),
  );
}

function insertUserIds(ctx: Ctx, attempts: MessageAttempt[]): SQL[] {
  const identities = attempts.flatMap(({ connectionId, contactSeq, outcome }) =>
    outcome.kind === "accepted"
      ? (outcome.userIds ?? []).map((externalId) => ({ connectionId, contactSeq, externalId }))
      : [],
  );
  return identities.length === 0 ? [] : [upsertReportedIdentities(ctx, identities)];
}

/** A person who turned marketing messages off at the provider gets none from now on. */
function stopMarketing(ctx: Ctx, attempts: MessageAttempt[]): SQL[] {
  const seqs = attempts.flatMap(({ contactSeq, outcome }) =>
    outcome.kind === "refused" && outcome.stopsMarketing === true ? [contactSeq] : [],
  );
  // One choice a person: a later choice of one of them must not keep the others' from being stored.
  return seqs.flatMap((seq) =>
    storeMarketingChoice(ctx, optOutKeysOfContacts([seq]), { marketing: "stop", at: ctx.now() }),
  );
}

/** A campaign's message shows in its conversation once it was sent, or may have been. */
function updateConversations(ctx: Ctx, attempts: MessageAttempt[]): SQL[] {
  const sent = attempts.filter(
    ({ campaign, outcome: { kind } }) => campaign && (kind === "accepted" || kind === "lost"),
  );
  return sent.length === 0 ? [] : [updateLastCampaignMessages(ctx, JSON.stringify(sent.map(({ id }) => id)))];
}

/** Plans how to store the outcomes of any number of different messages. Storing them twice changes nothing. */
export function planSettlements(ctx: Ctx, attempts: MessageAttempt[]): SettlementPlan {
  const settled = withoutRepeatedKeys(
    attempts.map((attempt) => {
      const { id, attempts: number, connectionId, sent = null } = attempt;
      const settlement = decideSettlement(attempt, { now: ctx.now(), random: ctx.random });
      return { id, attempts: number, connectionId, sent, ...settlement };
    }),
  );
  const keyed = settled.flatMap(({ id, connectionId, providerKey }) =>
    providerKey === null ? [] : [{ id, connectionId, providerKey }],
  );
  const keys = JSON.stringify(keyed);
  const statements = [
    ...(keyed.length === 0 ? [] : [deleteEchoes(ctx, keys)]),
    ...updateSettled(ctx, settled, { hasCampaigns: attempts.some(({ campaign }) => campaign) }),
    ...(keyed.length === 0 ? [] : applyEarlyStatuses(ctx, keys)),
    ...updateConversations(ctx, attempts),
    ...insertUserIds(ctx, attempts),
    ...updateConnections(ctx, attempts),
    ...stopMarketing(ctx, attempts),
  ];
  return { statements, retryAts: settled.map(({ retryAt }) => retryAt) };
}
