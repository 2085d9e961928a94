import { fetchRows, transact } from "../../db/statement.ts";
import { type BaseCtx, type Ctx, forWorkspace } from "../../shared/context.ts";
import { addDays, localDay } from "../../shared/time/time-zones.ts";
import {
  deleteDaysBefore,
  QUARTER_MS,
  selectAnswers,
  selectDays,
  selectEventGroups,
  selectPageBounds,
  selectTimeZones,
  selectWorkspacesBehind,
  storeDays,
} from "./count-events.sql.ts";
import {
  addCounts,
  answerCountName,
  answerRange,
  countName,
  keyCountName,
  type NamedCounts,
} from "./statistics.counts.ts";

/** Days are kept long enough to compare a month with the same month of last year. */
const DAYS_KEPT = 400;

/**
 * The stored counts of these days are read, because the counts of new events are added to them. The log keeps events
 * for 30 days, so 35 are enough.
 */
const DAYS_READ = 35;

type CountsByDay = ReadonlyMap<string, NamedCounts>;

type Groups = Awaited<ReturnType<typeof readPage>>;

const readPage = (ctx: Ctx, since: string) =>
  transact(ctx.db, {
    bounds: selectPageBounds(ctx),
    events: selectEventGroups(ctx),
    answers: selectAnswers(ctx),
    days: selectDays(ctx, since),
  });

function countPage({ events, answers }: Pick<Groups, "events" | "answers">, timeZone: string): CountsByDay {
  const byDay = new Map<string, Map<string, number>>();
  const add = (quarter: number, name: string, count: number) => {
    const day = localDay(quarter * QUARTER_MS, timeZone);
    const counts = byDay.get(day) ?? new Map<string, number>();
    byDay.set(day, counts.set(name, (counts.get(name) ?? 0) + count));
  };
  for (const { quarter, type, of_campaign, key_id, count } of events) {
    add(quarter, countName(type, of_campaign === 1), count);
    if (key_id !== null) add(quarter, keyCountName(key_id), count);
  }
  for (const { quarter, actor_type, waited_ms } of answers) {
    const by = actor_type === "api_key" ? "software" : "people";
    add(quarter, answerCountName(by, answerRange(waited_ms)), 1);
  }
  return byDay;
}

/**
 * Counts at most `pages` pages of events, with two round trips per page. Returns the counts of at least the last `days`
 * days.
 */
export async function countEvents(
  ctx: Ctx,
  { timeZone, days: wanted, pages }: { timeZone: string; days: number; pages: number },
) {
  const today = localDay(ctx.now(), timeZone);
  const since = addDays(today, -Math.max(wanted - 1, DAYS_READ));
  for (let left = pages; ; left--) {
    const { bounds, days: stored, ...groups } = await readPage(ctx, since);
    const [page] = bounds;
    const before = new Map(stored.map(({ day, counts }) => [day, new Map(counts)]));
    if (page === undefined || page.next === null) return { days: before, isComplete: true };
    if (left === 0) return { days: before, isComplete: false };
    const counted = countPage(groups, timeZone);
    const days = new Map(before);
    for (const [day, counts] of counted) days.set(day, addCounts(days.get(day) ?? new Map(), counts));
    const changed = [...counted.keys()].map((day) => ({ day, counts: [...(days.get(day) ?? [])] }));
    await transact(ctx.db, {
      ...storeDays(ctx, changed, { from: page.from_sequence, next: page.next, timeZone }),
      old: days.size > before.size ? deleteDaysBefore(ctx, addDays(today, -DAYS_KEPT)) : [],
    });
    if (page.next >= page.end) return { days, isComplete: true };
  }
}

/**
 * The search for workspaces with uncounted events reads three rows for each workspace, so it does not run every minute.
 */
const EVERY_MINUTES = 5;

const WORKSPACES_PER_RUN = 500;
/** Other requests wait while the database reads a page, so each run reads at most this many pages. */
const PAGES_PER_WORKSPACE = 10;
const PAGES_PER_RUN = 200;

/**
 * The overview counts new events itself. This job counts them for workspaces that do not open the overview for weeks,
 * because the log deletes old events.
 */
export async function sweepStatistics(base: BaseCtx, shard: number): Promise<void> {
  if (new Date(base.now()).getUTCMinutes() % EVERY_MINUTES !== 0) return;
  const behind = await fetchRows(base.shard(shard), selectWorkspacesBehind(WORKSPACES_PER_RUN));
  if (behind.length === 0) return;
  const ids = behind.map(({ id }) => id);
  const workspaces = await selectTimeZones(base, ids);
  for (let left = PAGES_PER_RUN; left > 0 && workspaces.length > 0; left -= PAGES_PER_WORKSPACE) {
    const workspace = workspaces.shift();
    if (workspace === undefined) return;
    const { timeZone, ...ref } = workspace;
    const { isComplete } = await countEvents(forWorkspace(base, ref), {
      timeZone,
      days: 1,
      pages: PAGES_PER_WORKSPACE,
    });
    if (!isComplete) workspaces.push(workspace);
  }
}
