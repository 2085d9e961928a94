import { sql } from "drizzle-orm";
import type { SQL } from "../../../db/statement.ts";

/** In SQL: a snooze until this time is over. The job ends snoozes each minute; reads before that treat the snooze as ended. */
export const isSnoozeOver = (until: SQL, now: number): SQL => sql`${until} <= ${now}`;

/** In SQL: a snooze until this time, if any, is active. */
export const holdsSnooze = (until: SQL, now: number): SQL => sql`${until} > ${now}`;
