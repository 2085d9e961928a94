// The rules of campaigns.circuit-breaker.ts in SQL: other leases add results between reading a campaign and settling a lease.
import { sql } from "drizzle-orm";
import type { SQL } from "../../../db/statement.ts";
import {
  CONSECUTIVE_FAILURES,
  FAILURE,
  type LeaseHealth,
  MAX_RECENT_FAILURES,
  RECENT_SENDS,
  type SendResults,
  SUCCESS,
  TOO_MANY_FAILURES,
} from "../campaigns.circuit-breaker.ts";

/** The results to keep: the earlier ones and the next ones, as far as `isMostlyFailing` looks back. */
export const recentResultsSql = (earlier: SQL, results: SendResults): SQL =>
  sql`substr(${earlier} || ${results}, ${-RECENT_SENDS})`;

/** `hasFailureRun`. */
export const hasFailureRunSql = (earlier: SQL, results: SendResults): SQL =>
  sql`instr(substr(${earlier}, ${1 - CONSECUTIVE_FAILURES}) || ${results}, ${FAILURE.repeat(CONSECUTIVE_FAILURES)}) > 0`;

/** `isMostlyFailing`, of what `recentResultsSql` gave. */
export const isMostlyFailingSql = (recent: SQL): SQL =>
  sql`length(${recent}) = ${RECENT_SENDS} AND length(replace(${recent}, ${SUCCESS}, '')) > ${MAX_RECENT_FAILURES}`;

/** `pauseReason`; NULL where the campaign may go on. */
export const pauseReasonSql = (earlier: SQL, { results, failure, stop }: LeaseHealth): SQL => sql`
  CASE WHEN ${stop} IS NOT NULL THEN ${stop} WHEN ${hasFailureRunSql(earlier, results)} THEN ${failure}
    WHEN ${isMostlyFailingSql(recentResultsSql(earlier, results))} THEN ${TOO_MANY_FAILURES} END`;
