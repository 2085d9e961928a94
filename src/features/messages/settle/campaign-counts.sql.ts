// Where a campaign's counts (its row in `tallies`) change: a statement that moves a campaign's messages between the
// counted states comes after `updateCampaignCounts` in its batch; queued and claimed both count as pending.
import { sql } from "drizzle-orm";
import type { SQL } from "../../../db/statement.ts";
import { state } from "../messages.states.ts";

/** Messages in other states are pending, which has no count of its own. */
const countedStates = ["sent", "delivered", "read", "failed", "skipped", "unknown"] as const;

const forEachCount = (part: (column: SQL, counted: number) => SQL): SQL =>
  sql.join(
    countedStates.map((name) => part(sql`${sql.identifier(name)}`, state[name])),
    sql`, `,
  );

/** `queued` and `claimed` are both pending: a move between them counts nothing. */
const countedRank = (column: SQL): SQL => sql`max(${column}, ${state.claimed})`;

/**
 * Counts state changes, in the batch that makes them and before them, so that a repeat counts nothing. `moves` selects
 * `campaign_id`, `from_state` and `to_state`, each message once; messages of no campaign are left out. Writes one row a campaign.
 */
export const updateCampaignCounts = (moves: SQL): SQL => sql`
  INSERT INTO tallies (campaign_id, ${forEachCount((column) => column)})
  SELECT campaign_id, ${forEachCount((_, counted) => sql`sum((to_state = ${counted}) - (from_state = ${counted}))`)}
  FROM (${moves}) WHERE campaign_id IS NOT NULL AND ${countedRank(sql`from_state`)} <> ${countedRank(sql`to_state`)}
  GROUP BY campaign_id
  ON CONFLICT (campaign_id) DO UPDATE SET ${forEachCount((column) => sql`${column} = ${column} + excluded.${column}`)}`;
