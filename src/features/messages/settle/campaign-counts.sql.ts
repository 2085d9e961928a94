// The counts of a campaign are one row in `tallies`. A batch writes this row only once, because each write costs money.
import { sql, type SQL } from "drizzle-orm";
import { columns } from "../../../db/columns.ts";
import { messages } from "../../../db/schema/index.ts";
import { MINUTE_MS } from "../../../shared/time/durations.ts";
import { state } from "../messages.states.ts";

const m = columns(messages, "m");

export const TIMELINE_SPAN_MS = 10 * MINUTE_MS;

/**
 * Each update writes the whole timeline again. At this length (several days of reports), the timeline gets no more
 * entries.
 */
const MAX_TIMELINE_CHARACTERS = 20_000;

const OTHER_REASON = "other";

/** Messages in all other states are pending. Their number is the total minus these counts, so it needs no column. */
const countedStates = ["sent", "delivered", "read", "failed", "skipped", "unknown"] as const;

const forEachCount = (part: (column: SQL, counted: number) => SQL): SQL =>
  sql.join(
    countedStates.map((name) => part(sql`${sql.identifier(name)}`, state[name])),
    sql`, `,
  );

const countedRank = (column: SQL): SQL => sql`max(${column}, ${state.claimed})`;

/** Counts the messages by price, as `{category: {billable, free}}`. Rows with a negative `n` reduce the counts. */
const sumPrices = (rows: SQL): SQL => sql`(
  SELECT nullif(json_group_object(category, json_object('billable', billable, 'free', free)), '{}') FROM (
    SELECT category, sum(iif(is_free, 0, n)) AS billable, sum(iif(is_free, n, 0)) AS free FROM (${rows}) GROUP BY category)
  WHERE billable <> 0 OR free <> 0)`;

const priced = (category: SQL, billable: SQL): SQL =>
  sql`iif(coalesce(${category}, ${billable}) IS NULL, NULL, json_array(coalesce(${category}, 'unknown'), ${billable} IS 0))`;

export const sumMessagePrices = (from: SQL): SQL =>
  sumPrices(sql`
    SELECT price ->> 0 AS category, price ->> 1 AS is_free, 1 AS n
    FROM (SELECT ${priced(m.priceCategory, m.billable)} AS price ${from}) WHERE price IS NOT NULL`);

/** `prices` contains a pair `[new, old]` for each message. The old price is subtracted, so each message counts once. */
const pricesOfPairs = sumPrices(sql`
  SELECT e.value ->> '$[0][0]' AS category, e.value ->> '$[0][1]' AS is_free, 1 AS n FROM json_each(prices) e WHERE e.value -> 0 <> 'null'
  UNION ALL SELECT e.value ->> '$[1][0]', e.value ->> '$[1][1]', -1 FROM json_each(prices) e WHERE e.value -> 1 <> 'null'`);

const pricesIn = (cost: SQL): SQL => sql`
  SELECT e.key AS category, n.key = 'free' AS is_free, n.value AS n FROM json_each(${cost}) e CROSS JOIN json_each(e.value) n`;

const addPrices = sql`iif(excluded.cost IS NULL OR tallies.cost IS NULL, coalesce(tallies.cost, excluded.cost),
  ${sumPrices(sql`${pricesIn(sql`tallies.cost`)} UNION ALL ${pricesIn(sql`excluded.cost`)}`)})`;

const pricePairs = sql`json_group_array(json_array(json(new_price), json(old_price))) FILTER (WHERE new_price IS NOT old_price)`;

const countsIn = (counts: SQL): SQL =>
  sql`SELECT e.key AS key, e.value AS n FROM json_each(coalesce(${counts}, '{}')) e`;

const sumCounts = (rows: SQL): SQL => sql`(
  SELECT json_group_object(key, n) FROM (SELECT key, sum(n) AS n FROM (${rows}) WHERE key IS NOT NULL GROUP BY key) WHERE n <> 0)`;

const addCounts = (column: SQL): SQL =>
  sumCounts(sql`${countsIn(sql`tallies.${column}`)} UNION ALL ${countsIn(sql`excluded.${column}`)}`);

const reachedBy = {
  sent: [state.sent, state.delivered, state.read],
  delivered: [state.delivered, state.read],
  read: [state.read],
  failed: [state.failed],
};

const implies = (column: SQL, states: readonly number[]): SQL =>
  sql`(${column} IN (${sql.join(
    states.map((rank) => sql`${rank}`),
    sql`, `,
  )}))`;

const timelineOf = (now: number): SQL => {
  const span = Math.floor(now / TIMELINE_SPAN_MS);
  const entries = Object.entries(reachedBy).map(
    ([name, states]) =>
      sql`${`${span} ${name}`}, sum(${implies(sql`to_state`, states)} AND NOT ${implies(sql`from_state`, states)})`,
  );
  return sql`json_object(${sql.join(entries, sql`, `)})`;
};

const reasonIn = (column: SQL, code: SQL): SQL =>
  sql`iif(${column} IN (${state.failed}, ${state.skipped}), coalesce(${code}, ${OTHER_REASON}), NULL)`;

const reasonPairs = sql`json_group_array(json_array(new_reason, old_reason)) FILTER (WHERE new_reason IS NOT old_reason)`;

const reasonsOfPairs = sumCounts(sql`
  SELECT e.value ->> 0 AS key, 1 AS n FROM json_each(reasons) e UNION ALL SELECT e.value ->> 1, -1 FROM json_each(reasons) e`);

/**
 * Must run before the statement that changes the states. If a batch is repeated, `moves` then selects no changes, so
 * nothing is counted twice. `moves` selects each message once, with the columns `campaign_id`, `from_state`,
 * `to_state`, `error_code` and `old_error_code`. With `hasPrices`, it also selects `price_category`, `billable`,
 * `old_category` and `old_billable`.
 */
export function updateCampaignCounts(moves: SQL, now: number, hasPrices = false): SQL {
  const prices = hasPrices
    ? sql`, ${priced(sql`old_category`, sql`old_billable`)} AS old_price,
      ${priced(sql`coalesce(price_category, old_category)`, sql`coalesce(billable, old_billable)`)} AS new_price`
    : sql`, NULL AS old_price, NULL AS new_price`;
  return sql`
  INSERT INTO tallies (campaign_id, ${forEachCount((column) => column)}, timeline, reasons, cost)
  SELECT campaign_id, ${forEachCount((column) => column)}, timeline, ${reasonsOfPairs}, ${pricesOfPairs} FROM (
    SELECT campaign_id, ${timelineOf(now)} AS timeline, ${reasonPairs} AS reasons, ${pricePairs} AS prices,
      ${forEachCount((column, counted) => sql`sum((to_state = ${counted}) - (from_state = ${counted})) AS ${column}`)}
    FROM (SELECT *, iif(to_state = from_state, ${reasonIn(sql`from_state`, sql`old_error_code`)}, ${reasonIn(sql`to_state`, sql`error_code`)}) AS new_reason,
      ${reasonIn(sql`from_state`, sql`old_error_code`)} AS old_reason ${prices} FROM (${moves}))
    WHERE campaign_id IS NOT NULL
      AND (${countedRank(sql`from_state`)} <> ${countedRank(sql`to_state`)} OR new_price IS NOT old_price)
    GROUP BY campaign_id) WHERE TRUE
  ON CONFLICT (campaign_id) DO UPDATE SET ${forEachCount((column) => sql`${column} = ${column} + excluded.${column}`)},
    timeline = iif(length(tallies.timeline) > ${MAX_TIMELINE_CHARACTERS}, tallies.timeline, ${addCounts(sql`timeline`)}),
    reasons = ${addCounts(sql`reasons`)}, cost = ${addPrices}`;
}
