// Raw SQL, because SQLite reads the events from JSON and joins the records of each event.
import { sql } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../db/columns.ts";
import { contacts, conversations, eventChunks, messages, notes } from "../../db/schema/index.ts";
import { fetchRows, statement, transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/text/json.ts";
import type { WakeableObject } from "../../shared/wakeable-object.ts";
import { currentContactSeq } from "../contacts/identity/identify-people.sql.ts";
import { chunkColumn, pageColumns } from "../event-feed/read-events.sql.ts";
import { newestSequence } from "../events/event-log.sql.ts";
import { listenForEvents, stopListening } from "../events/listen-for-events.sql.ts";
import type { LoggedChange } from "./live-updates.changes.ts";
import { CHECK_MS, LISTEN_MS, MAX_CHANGES } from "./live-updates.limits.ts";
import type { Progress } from "./live-updates.schemas.ts";

const c = columns(contacts, "c");
const chunk = columns(eventChunks, "c");
const m = columns(messages, "m");
const n = columns(notes, "n");
const v = columns(conversations, "v");

const relatedRecords = fromJson(
  z.object({
    conversation_id: z.string().nullable(),
    contact_id: z.string().nullable(),
    campaign_id: z.string().nullable(),
    mentions: z.array(z.string()).optional(),
  }),
);

const changeRow = z.object({
  sequence: z.number(),
  at: z.number(),
  actor_type: z.string(),
  actor_id: z.string().nullable(),
  type: z.string(),
  object_id: z.string(),
  related: relatedRecords.nullable(),
});

function selectChanges(ctx: Ctx, after: number, most: number) {
  const workspaceId = sql`${ctx.workspace.id}`;
  const ofMessage = sql`
    SELECT json_object('conversation_id', ${v.id}, 'contact_id', ${c.id}, 'campaign_id', ${m.campaignId})
    FROM messages m CROSS JOIN contacts c ON ${c.seq} = ${currentContactSeq(m.contactSeq)}
    LEFT JOIN conversations v ON ${v.contactSeq} = ${c.seq} AND ${v.connectionId} = ${m.connectionId}
    WHERE ${m.id} = page.object_id AND ${m.workspaceId} = ${workspaceId}`;
  const ofConversation = sql`
    SELECT json_object('conversation_id', ${v.id}, 'contact_id', ${c.id}, 'campaign_id', NULL)
    FROM conversations v CROSS JOIN contacts c ON ${c.seq} = ${v.contactSeq}
    WHERE ${v.id} = page.object_id AND ${v.workspaceId} = ${workspaceId}`;
  const ofNote = sql`
    SELECT json_object('conversation_id', ${v.id}, 'contact_id', ${c.id}, 'campaign_id', NULL, 'mentions', json(${n.mentions}))
    FROM notes n CROSS JOIN conversations v ON ${v.id} = ${n.conversationId} CROSS JOIN contacts c ON ${c.seq} = ${v.contactSeq}
    WHERE ${n.id} = page.object_id AND ${n.workspaceId} = ${workspaceId}`;
  return statement(
    changeRow,
    sql`
      WITH page AS (
        SELECT ${pageColumns(sql`${chunk.first} + e.key`, sql`e.value`)}
        FROM event_chunks c CROSS JOIN json_each(${chunk.body}) e
        WHERE ${chunk.workspaceId} = ${workspaceId} AND ${chunk.first} >= coalesce(${chunkColumn(ctx, "first", sql`${after + 1}`)}, 0)
          AND ${chunk.first} + e.key > ${after}
        ORDER BY ${chunk.first} LIMIT ${most})
      SELECT sequence, at, actor_type, actor_id, type, object_id,
        CASE substr(type, 1, instr(type, '.') - 1)
          WHEN 'message' THEN (${ofMessage})
          WHEN 'conversation' THEN (${ofConversation})
          WHEN 'note' THEN (${ofNote})
          WHEN 'contact' THEN json_object('conversation_id', NULL, 'contact_id', object_id, 'campaign_id', NULL)
          WHEN 'campaign' THEN json_object('conversation_id', NULL, 'contact_id', NULL, 'campaign_id', object_id)
        END AS related
      FROM page`,
  );
}

const endRow = z.object({ sequence: z.number(), at: z.number() });

const selectLogEnd = (ctx: Ctx) =>
  statement(
    endRow,
    sql`
      SELECT sequence, coalesce(${chunkColumn(ctx, "at", sql`sequence`)}, 0) AS at
      FROM (SELECT ${newestSequence(sql`${ctx.workspace.id}`)} AS sequence)`,
  );

const listenerOf = ({ workspace }: Ctx): WakeableObject => ["live", workspace.id];

/**
 * Registers the workspace's live-updates object as a listener for at least ten minutes. If the object has not read
 * events before, it starts at the end of the log.
 */
export async function followLog(ctx: Ctx, earlier: Progress | null): Promise<Progress> {
  const now = ctx.now();
  if (earlier !== null && earlier.listensUntil > now + 2 * CHECK_MS) return earlier;
  const listensUntil = now + LISTEN_MS / 2;
  const { ends } = await transact(ctx.db, {
    listen: listenForEvents(ctx, listenerOf(ctx), { atLeast: listensUntil, until: now + LISTEN_MS }),
    ends: selectLogEnd(ctx),
  });
  const [end] = ends;
  if (end === undefined) throw new Error("The end of a log is always one row.");
  return { ...(earlier ?? end), listensUntil };
}

export async function leaveLog(ctx: Ctx): Promise<void> {
  await transact(ctx.db, { stop: stopListening(ctx, listenerOf(ctx)) });
}

/**
 * Returns `isComplete: false` if there are too many new changes. The member's page then reloads all its data, so the
 * next read can skip the remaining changes and start at the end of the log.
 */
export async function readNewChanges(ctx: Ctx, earlier: Progress) {
  const rows = await fetchRows(ctx.db, selectChanges(ctx, earlier.sequence, MAX_CHANGES));
  const changes = rows.map(({ related, ...change }): LoggedChange => ({
    ...change,
    conversation_id: related?.conversation_id ?? null,
    contact_id: related?.contact_id ?? null,
    campaign_id: related?.campaign_id ?? null,
    mentions: related?.mentions ?? [],
  }));
  const last = rows.at(-1);
  const progress = last === undefined ? earlier : { ...earlier, sequence: last.sequence, at: last.at };
  if (rows.length < MAX_CHANGES) return { changes, isComplete: true, progress };
  const end = await followLog(ctx, null);
  return { changes, isComplete: false, progress: end };
}
