// Where a campaign's counts (its row in `tallies`) change: a statement that moves a campaign's messages between the
// counted states comes after `updateCampaignCounts` in its batch; queued and claimed both count as pending.
import { sql } from "../../../db/sql.ts";
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
 * Prices by category from rows of category, whether it is free, and how many came or, below zero, went; as `{category: {billable,
 * free}}`.
 */
const sumPrices = (rows: SQL): SQL => sql`(
  SELECT nullif(json_group_object(category, json_object('billable', billable, 'free', free)), '{}') FROM (
    SELECT category, sum(iif(is_free, 0, n)) AS billable, sum(iif(is_free, n, 0)) AS free FROM (${rows}) GROUP BY category)
  WHERE billable <> 0 OR free <> 0)`;

/** In SQL: the name of a price's category, and whether it is free. Null where there is no price. */
const priced = (category: SQL, billable: SQL): SQL =>
  sql`iif(coalesce(${category}, ${billable}) IS NULL, NULL, json_array(coalesce(${category}, 'unknown'), ${billable} IS 0))`;

/** The prices of messages `m`, summed by category. */
export const sumMessagePrices = (from: SQL): SQL =>
  sumPrices(sql`
    SELECT price ->> 0 AS category, price ->> 1 AS is_free, 1 AS n
    FROM (SELECT ${priced(sql`m.price_category`, sql`m.billable`)} AS price ${from}) WHERE price IS NOT NULL`);

/** The prices that moves bring, from a list of pairs of the price after and before. */
const pricesOfPairs = sumPrices(sql`
  SELECT e.value ->> '$[0][0]' AS category, e.value ->> '$[0][1]' AS is_free, 1 AS n FROM json_each(prices) e WHERE e.value -> 0 <> 'null'
  UNION ALL SELECT e.value ->> '$[1][0]', e.value ->> '$[1][1]', -1 FROM json_each(prices) e WHERE e.value -> 1 <> 'null'`);

const pricesIn = (cost: SQL): SQL => sql`
  SELECT e.key AS category, n.key = 'free' AS is_free, n.value AS n FROM json_each(${cost}) e CROSS JOIN json_each(e.value) n`;

const addPrices = sql`iif(excluded.cost IS NULL OR tallies.cost IS NULL, coalesce(tallies.cost, excluded.cost),
  ${sumPrices(sql`${pricesIn(sql`tallies.cost`)} UNION ALL ${pricesIn(sql`excluded.cost`)}`)})`;

/** In SQL: the pairs of the prices of moves after and before, where they differ. */
const pricePairs = sql`json_group_array(json_array(json(new_price), json(old_price))) FILTER (WHERE new_price IS NOT old_price)`;

/**
 * As `updateCampaignCounts`, of moves that bring prices: they also select `price_category`, `billable`, `old_category` and
 * `old_billable`. A message's price counts once; one that is known stays where the move brings none.
 */
export const updateCampaignCountsAndCost = (moves: SQL): SQL => sql`
  INSERT INTO tallies (campaign_id, ${forEachCount((column) => column)}, cost)
  SELECT campaign_id, ${forEachCount((column) => column)}, ${pricesOfPairs} FROM (
    SELECT campaign_id, ${pricePairs} AS prices,
      ${forEachCount((column, counted) => sql`sum((to_state = ${counted}) - (from_state = ${counted})) AS ${column}`)}
    FROM (SELECT *, ${priced(sql`old_category`, sql`old_billable`)} AS old_price,
      ${priced(sql`coalesce(price_category, old_category)`, sql`coalesce(billable, old_billable)`)} AS new_price FROM (${moves}))
    WHERE campaign_id IS NOT NULL
      AND (${countedRank(sql`from_state`)} <> ${countedRank(sql`to_state`)} OR new_price IS NOT old_price)
    GROUP BY campaign_id) WHERE TRUE
  ON CONFLICT (campaign_id) DO UPDATE SET ${forEachCount((column) => sql`${column} = ${column} + excluded.${column}`)},
    cost = ${addPrices}`;

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
