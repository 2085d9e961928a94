// Implements the rules of `settle-lease.sql.ts` without SQL. They decide whether a campaign is paused.
import {
  hasFailureRun,
  type LeaseHealth,
  MAX_RECENT_FAILURES,
  RECENT_SENDS,
  type SendResults,
  SUCCESS,
  TOO_MANY_FAILURES,
} from "../../src/features/campaigns/campaigns.circuit-breaker.ts";

export function isMostlyFailing(results: SendResults): boolean {
  const recent = results.slice(-RECENT_SENDS);
  return recent.length === RECENT_SENDS && recent.replaceAll(SUCCESS, "").length > MAX_RECENT_FAILURES;
}

export function pauseReason(earlier: SendResults, { results, failure, stop }: LeaseHealth): string | null {
  if (stop !== null) return stop;
  if (hasFailureRun(earlier, results)) return failure;
  return isMostlyFailing(earlier + results) ? TOO_MANY_FAILURES : null;
}
