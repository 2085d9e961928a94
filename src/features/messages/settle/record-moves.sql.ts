import { sql, type SQL } from "drizzle-orm";
import { appendEventsOfWorkspaces, event } from "../../events/append-events.sql.ts";
import { state, toDelivery } from "../messages.states.ts";
import { updateCampaignCounts } from "./campaign-counts.sql.ts";

export type MovedBy = "provider" | "system";

const deliveries = JSON.stringify(
  Object.values(state)
    .toSorted((a, b) => a - b)
    .map(toDelivery),
);

/**
 * `->>` needs an integer as the index of a JSON list. D1 binds numbers as floating-point numbers, so we cast the index.
 */
export const deliveryOf = (rank: SQL): SQL => sql`${deliveries} ->> CAST(${rank} - ${state.scheduled} AS INTEGER)`;

export const deliveryChange = (before: SQL, after: SQL): SQL =>
  sql`json_object('delivery', json_array(${before}, ${after}))`;

const actorOf: Record<MovedBy, SQL> = {
  provider: sql`workspace_id, 'provider' AS actor_type, connection_id AS actor_id,`,
  system: sql`workspace_id, 'system' AS actor_type, NULL AS actor_id,`,
};

const implied = JSON.stringify([
  { rank: state.sent, before: state.queued },
  { rank: state.delivered, before: state.sent },
  { rank: state.read, before: state.delivered },
]);

/**
 * If a message moves from `queued` to `read`, selects three steps: to `sent`, to `delivered` and to `read`. Each state
 * then gets its own event, even if the provider reported only the last one.
 */
const stepsOfMoves = (moves: SQL): SQL => sql`
  SELECT m.workspace_id AS workspace_id, m.connection_id AS connection_id, m.id AS id,
    max(m.from_state, coalesce(s.value ->> 'before', 0)) AS from_state, coalesce(s.value ->> 'rank', m.to_state) AS to_state
  FROM (${moves}) m LEFT JOIN json_each(${implied}) s ON s.value ->> 'rank' <= m.to_state AND s.value ->> 'rank' > m.from_state
    AND m.to_state IN (${state.sent}, ${state.delivered}, ${state.read})`;

export const eventsOfMoves = (moves: SQL, columns = sql``): SQL => sql`
  SELECT ${columns} ${event(sql`'message.' || after`, sql`id`, deliveryChange(sql`before`, sql`after`))}
  FROM (SELECT workspace_id, connection_id, id, ${deliveryOf(sql`from_state`)} AS before, ${deliveryOf(sql`to_state`)} AS after FROM (${stepsOfMoves(moves)}))
  WHERE after NOT IN (before, 'queued')`;

/**
 * Run this before the statement that changes the states. `moves` then selects nothing when the batch is repeated, so no
 * event is stored twice. `moves` must select each message once, with `id`, `workspace_id`, `connection_id` and the
 * columns of `updateCampaignCounts`.
 */
export const recordMoves = (
  moves: SQL,
  {
    by,
    now,
    hasCampaigns = true,
    hasPrices = false,
  }: { by: MovedBy; now: number; hasCampaigns?: boolean; hasPrices?: boolean },
): SQL[] => [
  appendEventsOfWorkspaces(eventsOfMoves(moves, actorOf[by]), now),
  ...(hasCampaigns ? [updateCampaignCounts(moves, now, hasPrices)] : []),
];
