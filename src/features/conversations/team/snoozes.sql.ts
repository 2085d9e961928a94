import { sql } from "drizzle-orm";
import type { SQL } from "../../../db/statement.ts";

/** In SQL: a snooze until this time is over. The job that ends it runs each minute; what is read before that takes it as ended. */
export const isSnoozeOver = (until: SQL, now: number): SQL => sql`${until} <= ${now}`;

/** In SQL: a snooze until this time, if there is one, holds. */
export const holdsSnooze = (until: SQL, now: number): SQL => sql`${until} > ${now}`;
