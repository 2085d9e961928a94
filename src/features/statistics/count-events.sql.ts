// The batch that stores the counts also moves the cursor in the log, so no event is counted twice.
import { and, eq, gte, lt, sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns, insertSelect } from "../../db/columns.ts";
import { isOneOf } from "../../db/idioms.ts";
import {
  contacts,
  eventChunks,
  messages,
  statisticsCursors,
  statisticsDays,
  workspaces,
} from "../../db/schema/index.ts";
import { statement } from "../../db/statement.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { MINUTE_MS } from "../../shared/time/durations.ts";
import { hasSameConsent } from "../contacts/opt-outs/store-choices.sql.ts";
import { isDialogue } from "../conversations/conversations.sql.ts";
import { nextSequence, walkWorkspaces } from "../events/event-log.sql.ts";
import { countedTypes } from "./statistics.counts.ts";

const before = columns(messages, "before");
const c = columns(contacts, "c");
const chunk = columns(eventChunks);
const counted = columns(statisticsDays);
const excluded = columns(statisticsDays, "excluded");
const inbound = columns(messages, "inbound");
const k = columns(statisticsCursors, "k");
const m = columns(messages, "m");
const page = columns(eventChunks, "page");

/**
 * Other requests wait while the database executes a statement. A statement therefore reads at most this many events, or
 * one chunk if that chunk has more.
 */
const EVENTS_PER_PAGE = 2000;
const LENGTH_PER_PAGE = 1_000_000;
const CHUNKS_PER_PAGE = 500;

/** In every time zone, days begin at a full quarter of an hour, so counts per quarter add up to days. */
export const QUARTER_MS = 15 * MINUTE_MS;

const cursor = (workspaceId: SQL): SQL =>
  sql`coalesce((SELECT ${k.next} FROM statistics_cursors k WHERE ${k.workspaceId} = ${workspaceId}), 0)`;

const cursorOf = (ctx: Ctx): SQL => cursor(sql`${ctx.workspace.id}`);

const pageCte = (ctx: Ctx): SQL => sql`
  page AS MATERIALIZED (
    SELECT * FROM (
      SELECT *, sum(${chunk.count}) OVER ordered AS upto, sum(length(${chunk.body})) OVER ordered AS long FROM (
        SELECT * FROM event_chunks WHERE ${chunk.workspaceId} = ${ctx.workspace.id} AND ${chunk.first} >= ${cursorOf(ctx)}
        ORDER BY ${chunk.first} LIMIT ${CHUNKS_PER_PAGE})
      WINDOW ordered AS (ORDER BY ${chunk.first} ROWS UNBOUNDED PRECEDING))
    WHERE upto - ${chunk.count} < ${EVENTS_PER_PAGE} AND long - length(${chunk.body}) < ${LENGTH_PER_PAGE})`;

const pageBounds = z.object({ from_sequence: z.number(), next: z.number().nullable(), end: z.number() });

export const selectPageBounds = (ctx: Ctx) =>
  statement(
    pageBounds,
    sql`
      WITH ${pageCte(ctx)}
      SELECT ${cursorOf(ctx)} AS from_sequence, (SELECT max(${chunk.first} + ${chunk.count}) FROM page) AS next,
        ${nextSequence(sql`${ctx.workspace.id}`)} AS end`,
  );

const eventGroup = z.object({
  quarter: z.number(),
  type: z.string(),
  of_campaign: z.number(),
  key_id: z.string().nullable(),
  count: z.number(),
});

export const selectEventGroups = (ctx: Ctx) =>
  statement(
    eventGroup,
    sql`
      WITH ${pageCte(ctx)},
      counted AS (
        SELECT CAST(${page.at} / ${QUARTER_MS} AS INTEGER) AS quarter, e.value ->> 0 AS event_type, e.value ->> 1 AS object_id,
          iif(${page.actorType} = 'api_key' AND e.value ->> 0 = 'message.queued', ${page.actorId}, NULL) AS key_id
        FROM page CROSS JOIN json_each(${page.body}) e
        WHERE e.value ->> 0 IN (SELECT value FROM json_each(${JSON.stringify(countedTypes)})))
      SELECT quarter, event_type AS type, ${m.campaignId} IS NOT NULL AS of_campaign, key_id, count(*) AS count
      FROM counted LEFT JOIN messages m ON ${m.id} = counted.object_id AND event_type LIKE 'message.%'
      GROUP BY quarter, event_type, of_campaign, key_id`,
  );

const answerRow = z.object({ quarter: z.number(), actor_type: z.string(), waited_ms: z.number() });

/**
 * Selects how long the person waited for each reply. The wait begins with their first message after the previous reply
 * or opt-out. A message from the workspace's phone is logged only as `message.sent`. Replies of the provider's
 * agent do not count.
 */
export const selectAnswers = (ctx: Ctx) =>
  statement(
    answerRow,
    sql`
      WITH ${pageCte(ctx)},
      sent AS (
        SELECT ${page.at} AS at, ${page.actorType} AS actor_type, ${m.id} AS id, ${m.contactSeq} AS contact_seq, ${m.connectionId} AS connection_id,
          (SELECT ${before.id} FROM messages before
            WHERE ${before.contactSeq} = ${m.contactSeq} AND ${before.connectionId} = ${m.connectionId} AND ${before.id} < ${m.id}
              AND ${before.fromContact} = 0 AND ${isDialogue(before)}
            ORDER BY ${before.id} DESC LIMIT 1) AS before_id
        FROM page CROSS JOIN json_each(${page.body}) e CROSS JOIN messages m ON ${m.id} = e.value ->> 1
        WHERE e.value -> 2 -> 'delivery' IN ('[null,"queued"]', '[null,"sent"]') AND e.value ->> 0 IN ('message.queued', 'message.sent')
          AND ${isDialogue(m)} AND ${m.isStandby} IS NULL)
      SELECT quarter, actor_type, waited_ms FROM (
        SELECT CAST(sent.at / ${QUARTER_MS} AS INTEGER) AS quarter, actor_type, sent.at - (
          SELECT ${inbound.createdAt} FROM messages inbound
          WHERE ${inbound.contactSeq} = sent.contact_seq AND ${inbound.connectionId} = sent.connection_id AND ${inbound.id} > coalesce(sent.before_id, '') AND ${inbound.id} < sent.id
            AND ${inbound.fromContact} = 1 AND ${inbound.isStandby} IS NULL AND ${isDialogue(inbound)} AND ${hasSameConsent(ctx, inbound.createdAt, sql`sent.at`)}
          ORDER BY ${inbound.id} LIMIT 1) AS waited_ms
        FROM sent LEFT JOIN contacts c ON ${c.seq} = sent.contact_seq)
      WHERE waited_ms IS NOT NULL`,
  );

type StoredDay = Pick<typeof statisticsDays.$inferSelect, "day" | "counts">;

export const selectDays = (ctx: Ctx, since: string) =>
  ctx.db
    .select({ day: statisticsDays.day, counts: statisticsDays.counts })
    .from(statisticsDays)
    .where(and(eq(statisticsDays.workspaceId, ctx.workspace.id), gte(statisticsDays.day, since)))
    .orderBy(statisticsDays.day);

export const selectCountedZone = (ctx: Ctx) =>
  ctx.db
    .select({ timeZone: statisticsCursors.timeZone })
    .from(statisticsCursors)
    .where(eq(statisticsCursors.workspaceId, ctx.workspace.id));

/** Writes nothing if a concurrent run has moved the cursor, because that run has stored the counts of these events. */
export const storeDays = (
  ctx: Ctx,
  days: readonly StoredDay[],
  { from, next, timeZone }: { from: number; next: number; timeZone: string },
) => ({
  days: insertSelect(
    statisticsDays,
    { workspaceId: ctx.workspace.id, day: sql`d.value ->> 'day'`, counts: sql`d.value -> 'counts'` },
    sql`
      FROM json_each(${JSON.stringify(days)}) d WHERE ${cursorOf(ctx)} = ${from}
      ON CONFLICT (${counted.workspaceId}, ${counted.day}) DO UPDATE SET ${counted.counts} = ${excluded.counts}`,
  ),
  cursor: ctx.db
    .insert(statisticsCursors)
    .values({ workspaceId: ctx.workspace.id, next, timeZone })
    .onConflictDoUpdate({
      target: statisticsCursors.workspaceId,
      set: { next, timeZone },
      setWhere: eq(statisticsCursors.next, from),
    }),
});

export const deleteDaysBefore = (ctx: Ctx, day: string) =>
  ctx.db
    .delete(statisticsDays)
    .where(and(eq(statisticsDays.workspaceId, ctx.workspace.id), lt(statisticsDays.day, day)));

const workspaceRow = z.object({ id: z.string() });

export const selectWorkspacesBehind = (limit: number) =>
  statement(
    workspaceRow,
    sql`
      ${walkWorkspaces(eventChunks)}
      SELECT id FROM walked WHERE ${nextSequence(sql`walked.id`)} > max(1, ${cursor(sql`walked.id`)}) LIMIT ${limit}`,
  );

export const selectTimeZones = (base: BaseCtx, ids: readonly string[]) =>
  base.control
    .select({ id: workspaces.id, number: workspaces.number, shard: workspaces.shard, timeZone: workspaces.timeZone })
    .from(workspaces)
    .where(isOneOf(workspaces.id, ids));
