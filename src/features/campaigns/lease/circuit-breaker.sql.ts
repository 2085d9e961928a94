// The rules of campaigns.circuit-breaker.ts in SQL, because other leases may add results before a lease is settled.
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

/** The results to store: earlier and new ones, as many as `isMostlyFailing` reads. */
export const recentResultsSql = (earlier: SQL, results: SendResults): SQL =>
  sql`substr(${earlier} || ${results}, ${-RECENT_SENDS})`;

/** `hasFailureRun`. */
export const hasFailureRunSql = (earlier: SQL, results: SendResults): SQL =>
  sql`instr(substr(${earlier}, ${1 - CONSECUTIVE_FAILURES}) || ${results}, ${FAILURE.repeat(CONSECUTIVE_FAILURES)}) > 0`;

/** `isMostlyFailing`, of `recentResultsSql`. */
export const isMostlyFailingSql = (recent: SQL): SQL =>
  sql`length(${recent}) = ${RECENT_SENDS} AND length(replace(${recent}, ${SUCCESS}, '')) > ${MAX_RECENT_FAILURES}`;

/** `pauseReason`; NULL if the campaign continues. */
export const pauseReasonSql = (earlier: SQL, { results, failure, stop }: LeaseHealth): SQL => sql`
  CASE WHEN ${stop} IS NOT NULL THEN ${stop} WHEN ${hasFailureRunSql(earlier, results)} THEN ${failure}
    WHEN ${isMostlyFailingSql(recentResultsSql(earlier, results))} THEN ${TOO_MANY_FAILURES} END`;
