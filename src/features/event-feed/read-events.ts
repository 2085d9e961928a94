import { iso } from "../../shared/time/iso-times.ts";
import { fetchRow, transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { presentApiKey } from "../api-keys/api-keys.schemas.ts";
import { eventId, type EventPosition } from "../events/events.ids.ts";
import { eventTypes, kindOf, matchEventTypes } from "../events/events.types.ts";
import { describeFilter, storedFilter } from "../segments/segments.stored.ts";
import type { ContactLayout } from "../contacts/contacts.schemas.ts";
import { selectContactLayout } from "../contacts/contacts.sql.ts";
import { listenForEvents } from "../events/listen-for-events.sql.ts";
import { selectApiKeysById } from "../api-keys/api-keys.sql.ts";
import type { EventView } from "./event-feed.schemas.ts";
import { presentObject, type ViewContext } from "./event-objects.ts";
import {
  type EventRow,
  type PageBound,
  type ReadFrom,
  selectEvents,
  selectEventsAt,
  selectEventsBefore,
  selectEventSpan,
  selectLog,
  selectSequenceAtTime,
} from "./read-events.sql.ts";

interface Surroundings extends ViewContext {
  workspaceId: string;
  apiKeys: ReadonlyMap<string, ReturnType<typeof presentApiKey>>;
}

const presentFilter = (stored: unknown) =>
  stored === null ? null : describeFilter(storedFilter.parse(stored), { tags: [] });

function presentChanges({ type, changes }: EventRow): EventView["changes"] {
  if (kindOf(type) !== "segment" || changes?.["filter"] === undefined) return changes;
  const [before, after] = changes["filter"];
  return { ...changes, filter: [presentFilter(before), presentFilter(after)] };
}

function presentEvent(row: EventRow, surroundings: Surroundings): EventView {
  const { sequence, at, type, actor_type, actor_id, object_id, object } = row;
  const kind = kindOf(type);
  const current =
    kind === "api_key"
      ? (surroundings.apiKeys.get(object_id) ?? null)
      : object && presentObject(kind, object, surroundings);
  return {
    id: eventId(surroundings.workspaceId, { sequence, at }),
    sequence,
    type,
    created_at: iso(at),
    actor: { type: actor_type, id: actor_id },
    object_id,
    data: { [kind]: current },
    changes: presentChanges(row),
  };
}

/** A request examines at most this many events. Otherwise a filter that matches nothing would read the whole log. */
const MAX_EXAMINED = 5000;

function typesOf(patterns: readonly string[]): string[] | null {
  const types = [...new Set(patterns.flatMap(matchEventTypes))];
  return types.length === eventTypes.length ? null : types;
}

/**
 * API keys are in a different database, so reading them costs a second round trip. Pages without events of API keys
 * skip it.
 */
async function findApiKeys(ctx: Ctx, rows: readonly EventRow[]) {
  const ids = new Set(rows.filter(({ type }) => kindOf(type) === "api_key").map(({ object_id }) => object_id));
  const keys = ids.size === 0 ? [] : await selectApiKeysById(ctx, [...ids]);
  return new Map(keys.map((key) => [key.id, presentApiKey(key)]));
}

async function renderEvents(ctx: Ctx, rows: readonly EventRow[], layout: ContactLayout): Promise<EventView[]> {
  const apiKeys = await findApiKeys(ctx, rows);
  const surroundings = { workspaceId: ctx.workspace.id, layout, apiKeys, now: ctx.now(), isChecked: ctx.db.checksRows };
  return rows.map((row) => presentEvent(row, surroundings));
}

/**
 * First gives each event an equal share of the page's bytes, because this costs less. If an event is larger than its
 * share, reads the page again with the real size of each event.
 */
async function readBounded<R extends { rows: readonly EventRow[] }>(read: (bound: PageBound) => Promise<R>) {
  const page = await read("shares");
  return page.rows.every(({ fits }) => fits) ? page : read("sum");
}

const fittingRows = (rows: readonly EventRow[], limit: number): EventRow[] =>
  rows.filter(({ fits }) => fits).slice(0, limit);

interface EventFilter {
  types: readonly string[];
  limit: number;
}

export type EventPage = Awaited<ReturnType<typeof readEventPage>>;

/** With `listen`, also registers the workspace's feed as a listener, so that later commits wake it. */
export async function readEventPage(
  ctx: Ctx,
  { from, types, limit }: EventFilter & { from: ReadFrom },
  listen?: { atLeast: number; until: number },
) {
  const query = { from, most: MAX_EXAMINED, types: typesOf(types), limit: limit + 1 };
  const { spans, rows } = await readBounded((bound) =>
    transact(ctx.db, {
      listen: listen === undefined ? [] : [listenForEvents(ctx, ["feed", ctx.workspace.id], listen)],
      spans: selectEventSpan(ctx, from, MAX_EXAMINED),
      rows: selectEvents(ctx, query, bound),
    }),
  );
  const [span] = spans;
  if (span === undefined) throw new Error("The span of a log is always one row.");
  const fitting = fittingRows(rows, limit);
  const last = fitting.at(-1);
  const lastExamined: EventPosition =
    rows.length > fitting.length && last !== undefined
      ? { sequence: last.sequence, at: last.at }
      : { sequence: span.reached, at: span.reachedAt };
  return {
    span,
    events: await renderEvents(ctx, fitting, span.layout),
    lastExamined,
    hasMore: lastExamined.sequence < span.newest,
  };
}

export async function readEvents(ctx: Ctx, { after, ...filter }: EventFilter & { after: number }) {
  const { events, lastExamined, hasMore } = await readEventPage(ctx, { ...filter, from: after });
  return { events, lastExamined, hasMore };
}

/**
 * Returns null if the log contains the event at `position`, or if the event was deleted because of its age. Otherwise
 * an operator has restored an older state of the database. Then returns the sequence number of the last event that is
 * not later than `position`.
 */
export async function findRestoredEnd(ctx: Ctx, { sequence, at }: EventPosition): Promise<number | null> {
  const span = await fetchRow(ctx.db, selectEventSpan(ctx, sequence, 0));
  if (span === undefined) throw new Error("The span of a log is always one row.");
  const isDeleted = sequence < span.oldest;
  if (isDeleted || (sequence <= span.newest && at === span.fromAt)) return null;
  const next = await fetchRow(ctx.db, selectSequenceAtTime(ctx, at + 1));
  return (next?.sequence ?? span.newest + 1) - 1;
}

export async function readEventsAt(ctx: Ctx, sequences: readonly number[]) {
  const { rows, layouts } = await readBounded((bound) =>
    transact(ctx.db, { rows: selectEventsAt(ctx, sequences, bound), layouts: selectContactLayout(ctx) }),
  );
  const fitting = rows.filter(({ fits }) => fits).toSorted((one, other) => one.sequence - other.sequence);
  const left = rows.filter(({ fits }) => !fits).map(({ sequence }) => sequence);
  return { events: await renderEvents(ctx, fitting, layouts[0]?.layout ?? []), left };
}

export async function readEventsBefore(ctx: Ctx, { before, types, limit }: EventFilter & { before: number }) {
  const query = { before, most: MAX_EXAMINED, types: typesOf(types), limit: limit + 1 };
  const { rows, logs } = await readBounded((bound) =>
    transact(ctx.db, { rows: selectEventsBefore(ctx, query, bound), logs: selectLog(ctx) }),
  );
  const { oldest, newest, layout } = logs[0] ?? { oldest: 1, newest: 0, layout: [] };
  rows.sort((one, other) => other.sequence - one.sequence);
  const fitting = fittingRows(rows, limit);
  const last = rows.length > fitting.length ? fitting.at(-1)?.sequence : Math.min(before, newest + 1) - MAX_EXAMINED;
  const events = await renderEvents(ctx, fitting, layout);
  return { events, next: last !== undefined && last > oldest ? last : null };
}

export async function findSequencesOfTimes(
  ctx: Ctx,
  { from, to }: { from: number | undefined; to: number | undefined },
) {
  const { first, last } = await transact(ctx.db, {
    first: selectSequenceAtTime(ctx, from ?? 0),
    last: selectSequenceAtTime(ctx, to ?? 0),
  });
  const begin = first[0]?.sequence;
  return {
    after: from === undefined || begin === undefined ? undefined : begin - 1,
    before: to === undefined ? undefined : last[0]?.sequence,
  };
}
