// The rules of campaigns.health.ts in SQL: other leases add to a campaign's marks between reading and settling.
import { sql } from "drizzle-orm";
import type { SQL } from "../../../db/statement.ts";
import { FAILURE, FAILURES_IN_ROW, LOOK_BACK, type Marks, MOST_FAILURES, SUCCESS } from "../campaigns.health.ts";

/** What of the earlier marks and the next ones is looked back on. */
export const recentSql = (earlier: SQL, marks: Marks): SQL => sql`substr(${earlier} || ${marks}, ${-LOOK_BACK})`;

/** `hasRow`. */
export const hasRowSql = (earlier: SQL, marks: Marks): SQL =>
  sql`instr(substr(${earlier}, ${1 - FAILURES_IN_ROW}) || ${marks}, ${FAILURE.repeat(FAILURES_IN_ROW)}) > 0`;

/** `isMostlyFailing`, of marks that `recentSql` gave. */
export const isMostlyFailingSql = (recent: SQL): SQL =>
  sql`length(${recent}) = ${LOOK_BACK} AND length(replace(${recent}, ${SUCCESS}, '')) > ${MOST_FAILURES}`;
