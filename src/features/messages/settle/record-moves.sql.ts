// A statement that moves messages to other states comes after `recordMoves` in its batch, which appends the moves to the event log
// and counts those of campaigns from the states before them: a repeat, which moves nothing, appends and counts nothing.
// Raw, because the moves are selected by the caller.
import { sql } from "drizzle-orm";
import type { SQL } from "../../../db/statement.ts";
import { appendEventsOfWorkspaces, event } from "../../events/append-events.sql.ts";
import { state, toDelivery } from "../messages.states.ts";
import { updateCampaignCounts } from "./campaign-counts.sql.ts";

/** The one who moves messages: a provider by what it reports of them, or a job of ours, which settles them or gives them up. */
export type MovedBy = "provider" | "system";

/** The word of the API for each state, in the order of their ranks, which begin with the one of scheduled messages. */
const deliveries = JSON.stringify(
  Object.values(state)
    .toSorted((a, b) => a - b)
    .map(toDelivery),
);

/** A state in the words of the API. Numbers that come as parameters are floating-point ones, which name no place of a list. */
export const deliveryOf = (rank: SQL): SQL => sql`${deliveries} ->> CAST(${rank} - ${state.scheduled} AS INTEGER)`;

/** `changes` of a message that goes from one delivery to another; NULL before it is there, and once it is no more. */
export const deliveryChange = (before: SQL, after: SQL): SQL =>
  sql`json_object('delivery', json_array(${before}, ${after}))`;

const actorOf: Record<MovedBy, SQL> = {
  provider: sql`workspace_id, 'provider' AS actor_type, connection_id AS actor_id,`,
  system: sql`workspace_id, 'system' AS actor_type, NULL AS actor_id,`,
};

/** States that imply each other: what was read was delivered, and what was delivered was sent. Each with the one before it. */
const implied = JSON.stringify([
  { rank: state.sent, before: state.queued },
  { rank: state.delivered, before: state.sent },
  { rank: state.read, before: state.delivered },
]);

/**
 * The steps of `moves`, in their order: a report of a later state also stands for the earlier ones that were not reported. A move to
 * another state is one step.
 */
const stepsOfMoves = (moves: SQL): SQL => sql`
  SELECT m.workspace_id AS workspace_id, m.connection_id AS connection_id, m.id AS id,
    max(m.from_state, coalesce(s.value ->> 'before', 0)) AS from_state, coalesce(s.value ->> 'rank', m.to_state) AS to_state
  FROM (${moves}) m LEFT JOIN json_each(${implied}) s ON s.value ->> 'rank' <= m.to_state AND s.value ->> 'rank' > m.from_state
    AND m.to_state IN (${state.sent}, ${state.delivered}, ${state.read})`;

/**
 * An event for each step of `moves` that the API shows, named by the delivery it leads to. One that is queued again has none.
 * `columns` come before those of an event.
 */
export const eventsOfMoves = (moves: SQL, columns = sql``): SQL => sql`
  SELECT ${columns} ${event(sql`'message.' || after`, sql`id`, deliveryChange(sql`before`, sql`after`))}
  FROM (SELECT workspace_id, connection_id, id, ${deliveryOf(sql`from_state`)} AS before, ${deliveryOf(sql`to_state`)} AS after FROM (${stepsOfMoves(moves)}))
  WHERE after NOT IN (before, 'queued')`;

/**
 * Appends moves to the log and counts them, before they are made. `moves` selects `id`, `workspace_id`, `connection_id`,
 * `campaign_id`, `from_state` and `to_state`, those of campaigns also `error_code` and `old_error_code`, each message once. Writes a row a workspace and actor, and a row a campaign. Without
 * `hasCampaigns` all of them are direct messages, of which nothing is counted; with `hasPrices` the moves have those of
 * `updateCampaignCounts`.
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
