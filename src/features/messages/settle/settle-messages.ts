import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import type { ConnectionNotice } from "../../../channels/channel-events.ts";
import { columns } from "../../../db/columns.ts";
import { messages } from "../../../db/schema/index.ts";
import { type Ctx, bySystem } from "../../../shared/context.ts";
import { updateConnectionStatus } from "../../connections/connection-status.sql.ts";
import { optOutKeysOfContacts, storeMarketingChoice } from "../../contacts/opt-outs/store-choices.sql.ts";
import { appendSnapshotEvents } from "../../contacts/contact-snapshots.sql.ts";
import {
  type ReportedIdentity,
  reportedIdentityEvents,
  upsertReportedIdentities,
} from "../../contacts/identity/provider-ids.sql.ts";
import { updateLastCampaignMessages } from "../../conversations/upsert-conversations.sql.ts";
import { appendEvents, event } from "../../events/append-events.sql.ts";
import { type AttemptOutcome, decideSettlement } from "./decide-settlement.ts";
import { type SettledAttempt, type ShortSettlement, settleUnreported, updateSettled } from "./settle-messages.sql.ts";

const r = columns(messages, "r");
const t = columns(messages, "t");

const showReactions = (ctx: Ctx, ids: string[]): SQL[] => {
  const emoji = sql`(${r.content} ->> 'emoji')`;
  const reacted = sql`
    json_each(${JSON.stringify(ids)}) e CROSS JOIN messages r ON ${r.id} = e.value AND ${r.workspaceId} = ${ctx.workspace.id}
    CROSS JOIN messages t ON ${t.id} = ${r.replyTo} AND ${t.workspaceId} = ${r.workspaceId}
    WHERE ${r.type} = 'reaction' AND coalesce(${t.ownReactionAt}, 0) <= ${ctx.now()} AND coalesce(${t.ownReaction}, '') <> ${emoji}`;
  const changes = sql`json_object('own_reaction', json_array(nullif(${t.ownReaction}, ''), nullif(${emoji}, '')))`;
  return [
    appendEvents(bySystem(ctx), sql`SELECT ${event("message.reaction", t.id, changes)} FROM ${reacted}`),
    sql`
      UPDATE messages SET own_reaction_at = ${ctx.now()},
        own_reaction = (SELECT ${emoji} FROM ${reacted} AND ${t.id} = messages.id ORDER BY ${r.id} DESC LIMIT 1)
      WHERE id IN (SELECT ${t.id} FROM ${reacted})`,
  ];
};

const outcomeKind = z.object({ kind: z.enum(["accepted", "refused", "retry", "lost", "held", "skipped"]) });

/** Do not rename fields. Attempts come through a queue, possibly from another version of the Worker. */
export const messageAttempt = z.object({
  id: z.string(),
  attempts: z.number(),
  contactSeq: z.number(),
  connectionId: z.string(),
  campaign: z.boolean(),
  reaction: z.boolean().exactOptional(),
  /** We check only `kind` and keep all other fields, because a newer version of the Worker can have added some. */
  outcome: z.custom<AttemptOutcome>((value) => outcomeKind.safeParse(value).success),
  /** The rendered content. Only set if the message was rendered when it was claimed. */
  sent: z.object({ address: z.string(), body: z.string(), templateForm: z.string().nullable() }).exactOptional(),
});

export type MessageAttempt = z.infer<typeof messageAttempt>;

interface SettlementPlan {
  statements: SQL[];
  /** A faster way to settle a single direct message. If it returns no row, the caller runs `statements`. */
  shortSettlement: ShortSettlement | null;
  retryAts: (number | null)[];
}

/**
 * If a provider returns the same id for several messages, only the first message gets the id, because a key is unique.
 */
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

export const connectionNotice = (outcome: AttemptOutcome): ConnectionNotice | undefined =>
  outcome.kind === "refused" || outcome.kind === "retry" ? outcome.notice : undefined;

function updateConnections(ctx: Ctx, attempts: MessageAttempt[]): SQL[] {
  const notices = new Map<string, { connectionId: string; notice: ConnectionNotice }>();
  for (const { connectionId, outcome } of attempts) {
    const notice = connectionNotice(outcome);
    if (notice !== undefined) notices.set(JSON.stringify([connectionId, notice]), { connectionId, notice });
  }
  return [...notices.values()].flatMap(({ connectionId, notice }) =>
    updateConnectionStatus(ctx, connectionId, notice, ctx.now()),
  );
}

const userIdsOf = (attempts: MessageAttempt[]): ReportedIdentity[] =>
  attempts.flatMap(({ connectionId, contactSeq, outcome }) =>
    outcome.kind === "accepted"
      ? (outcome.userIds ?? []).map((externalId) => ({ connectionId, contactSeq, externalId }))
      : [],
  );

function stopMarketing(ctx: Ctx, attempts: MessageAttempt[]): SQL[] {
  const seqs = attempts.flatMap(({ contactSeq, outcome }) =>
    outcome.kind === "refused" && outcome.stopsMarketing === true ? [contactSeq] : [],
  );
  // Each person needs a separate statement, because a statement stores no choice at all if one of its people has made a
  // later choice.
  const choices = seqs.flatMap((seq) =>
    storeMarketingChoice(ctx, optOutKeysOfContacts([seq]), { marketing: "stop", at: ctx.now() }),
  );
  return choices.length === 0 ? [] : [...choices, ...appendSnapshotEvents(bySystem(ctx))];
}

function updateConversations(ctx: Ctx, attempts: MessageAttempt[]): SQL[] {
  const sent = attempts.filter(
    ({ campaign, outcome: { kind } }) => campaign && (kind === "accepted" || kind === "lost"),
  );
  return sent.length === 0 ? [] : [updateLastCampaignMessages(ctx, JSON.stringify(sent.map(({ id }) => id)))];
}

function showAcceptedReactions(ctx: Ctx, attempts: MessageAttempt[]): SQL[] {
  const accepted = attempts.filter(({ reaction, outcome }) => reaction === true && outcome.kind === "accepted");
  return accepted.length === 0
    ? []
    : showReactions(
        ctx,
        accepted.map(({ id }) => id),
      );
}

export function planSettlements(ctx: Ctx, attempts: MessageAttempt[]): SettlementPlan {
  const settled = withoutRepeatedKeys(
    attempts.map((attempt) => {
      const { id, attempts: number, connectionId, sent = null } = attempt;
      const settlement = decideSettlement(attempt, { now: ctx.now(), random: ctx.random });
      return { id, attempts: number, connectionId, sent, ...settlement };
    }),
  );
  const hasCampaigns = attempts.some(({ campaign }) => campaign);
  const userIds = userIdsOf(attempts);
  const sideEffects = [
    ...updateConversations(ctx, attempts),
    // A new user id can already have an opt-out. The contact is then opted out too, which needs an event.
    ...(userIds.length === 0 ? [] : [upsertReportedIdentities(ctx, userIds), ...appendSnapshotEvents(bySystem(ctx))]),
    ...updateConnections(ctx, attempts),
    ...stopMarketing(ctx, attempts),
    ...showAcceptedReactions(ctx, attempts),
  ];
  const statements = [
    ...updateSettled(ctx, settled, {
      hasCampaigns,
      otherEvents: userIds.length === 0 ? [] : [reportedIdentityEvents(ctx, userIds)],
    }),
    ...sideEffects,
  ];
  const isShort =
    attempts.length === 1 &&
    !hasCampaigns &&
    settled.every(({ providerKey }) => providerKey !== null) &&
    sideEffects.length === 0;
  return {
    statements,
    shortSettlement: isShort ? settleUnreported(ctx, settled) : null,
    retryAts: settled.map(({ retryAt }) => retryAt),
  };
}
