import { connectionNotice, type MessageAttempt } from "../../messages/settle/settle-messages.ts";
import type { GrantReport } from "../../pacing/pacing.schemas.ts";
import {
  countedFailure,
  hasFailureRun,
  type LeaseHealth,
  resultDigit,
  type SendAttempt,
  type SendResults,
} from "../campaigns.circuit-breaker.ts";
import type { CampaignSnapshot } from "./claim-lease.sql.ts";

export const CONNECTION_UNAVAILABLE = "connection_unavailable";

export const NO_SENDS: LeaseHealth = { results: "", failure: null, stop: null };

/** Returns the reason why the campaign must stop, or null if the response concerns only one recipient. */
function stopReason(outcome: MessageAttempt["outcome"]): string | null {
  if (outcome.kind === "refused" && outcome.pauses === "campaign") return outcome.error.code;
  const notice = connectionNotice(outcome);
  const isUsable = notice === undefined || notice.status === null || notice.status === "active";
  return isUsable ? null : CONNECTION_UNAVAILABLE;
}

export function addSend(health: LeaseHealth, attempt: SendAttempt, earlier: SendResults): LeaseHealth {
  const results = health.results + resultDigit(attempt);
  const failure = countedFailure(attempt) ?? health.failure;
  const stop = health.stop ?? stopReason(attempt.outcome) ?? (hasFailureRun(earlier, results) ? failure : null);
  return { results, failure, stop };
}

interface NextStep {
  isExpired: boolean;
  pauseFor: string | null;
  next: GrantReport["next"];
}

function findObstacle({ template_status, connection_status }: CampaignSnapshot): string | null {
  if (connection_status !== "active") return CONNECTION_UNAVAILABLE;
  return template_status === "APPROVED" ? null : "template_not_approved";
}

function nextSend({ status, has_more, next_retry_at }: CampaignSnapshot, now: number): GrantReport["next"] {
  if (status !== "running") return "nothing";
  if (has_more || (next_retry_at !== null && next_retry_at <= now)) return "more";
  return next_retry_at ?? "nothing";
}

export function decideNextStep(snapshot: CampaignSnapshot, now: number): NextStep {
  const isRunning = snapshot.status === "running";
  const isPastTime = (snapshot.send_before ?? Infinity) <= now;
  const obstacle = findObstacle(snapshot);
  return {
    isExpired: isRunning && isPastTime,
    pauseFor: isRunning && !isPastTime ? obstacle : null,
    next: isPastTime || obstacle !== null ? "nothing" : nextSend(snapshot, now),
  };
}
