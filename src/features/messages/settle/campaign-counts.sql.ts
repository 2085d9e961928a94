import { sql } from "drizzle-orm";
import type { SQL } from "../../../db/statement.ts";
import { state } from "../messages.states.ts";

const counts = ["sent", "delivered", "read", "failed", "skipped", "unknown"] as const;

const forEach = (part: (name: SQL, counted: number) => SQL): SQL =>
  sql.join(
    counts.map((name) => part(sql`${sql.identifier(name)}`, state[name])),
    sql`, `,
  );

/** Messages that wait and those being sent are pending alike. */
const rank = (column: SQL): SQL => sql`max(${column}, ${state.claimed})`;

/**
 * Counts what is about to change, in the same batch and before it. `moves` selects `campaign_id`, `from_state` and `to_state`
 * of messages, each message once; those of no campaign are left out. Writes one row a campaign, none where nothing moves.
 */
export const countMoves = (moves: SQL): SQL => sql`
  INSERT INTO tallies (campaign_id, ${forEach((name) => name)})
  SELECT campaign_id, ${forEach((_, counted) => sql`sum((to_state = ${counted}) - (from_state = ${counted}))`)}
  FROM (${moves}) WHERE campaign_id IS NOT NULL AND ${rank(sql`from_state`)} <> ${rank(sql`to_state`)}
  GROUP BY campaign_id
  ON CONFLICT (campaign_id) DO UPDATE SET ${forEach((name) => sql`${name} = ${name} + excluded.${name}`)}`;
