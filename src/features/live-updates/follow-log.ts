// Raw, because SQLite unpacks the JSON of the log's chunks and joins the records of each event.
import { sql } from "drizzle-orm";
import * as z from "zod";
import { fetchRows, statement, type Statement, transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/text/json.ts";
import { currentContactSeq } from "../contacts/identity/identify-people.sql.ts";
import { ofChunkWith, pageColumns } from "../event-feed/read-events.sql.ts";
import { newestSequence } from "../events/event-log.sql.ts";
import type { WakeableObject } from "../../shared/wakeable-object.ts";
import { listenForEvents, stopListening } from "../events/listen-for-events.sql.ts";
import type { LoggedChange } from "./live-updates.changes.ts";
import { CHECK_MS, LISTEN_MS, MAX_CHANGES } from "./live-updates.limits.ts";
import type { Progress } from "./live-updates.schemas.ts";

const concerned = fromJson(
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
  /** Null for objects that concern no other record. */
  concerned: concerned.nullable(),
});

export type ChangeRow = z.infer<typeof changeRow>;

/** The events after a sequence number, oldest first, at most `most`, each with its conversation, contact and campaign. */
export function selectChanges(ctx: Ctx, after: number, most: number): Statement<ChangeRow> {
  const workspaceId = sql`${ctx.workspace.id}`;
  const ofMessage = sql`
    SELECT json_object('conversation_id', v.id, 'contact_id', c.id, 'campaign_id', m.campaign_id)
    FROM messages m CROSS JOIN contacts c ON c.seq = ${currentContactSeq(sql`m.contact_seq`)}
    LEFT JOIN conversations v ON v.contact_seq = c.seq AND v.connection_id = m.connection_id
    WHERE m.id = page.object_id AND m.workspace_id = ${workspaceId}`;
  const ofConversation = sql`
    SELECT json_object('conversation_id', v.id, 'contact_id', c.id, 'campaign_id', NULL)
    FROM conversations v CROSS JOIN contacts c ON c.seq = v.contact_seq
    WHERE v.id = page.object_id AND v.workspace_id = ${workspaceId}`;
  const ofNote = sql`
    SELECT json_object('conversation_id', v.id, 'contact_id', c.id, 'campaign_id', NULL, 'mentions', json(n.mentions))
    FROM notes n CROSS JOIN conversations v ON v.id = n.conversation_id CROSS JOIN contacts c ON c.seq = v.contact_seq
    WHERE n.id = page.object_id AND n.workspace_id = ${workspaceId}`;
  return statement(
    changeRow,
    sql`
      WITH page AS (
        SELECT ${pageColumns(sql`c.first + e.key`, sql`e.value`)}
        FROM event_chunks c CROSS JOIN json_each(c.body) e
        WHERE c.workspace_id = ${workspaceId} AND c.first >= coalesce(${ofChunkWith(ctx, sql`${after + 1}`, sql`first`)}, 0)
          AND c.first + e.key > ${after}
        ORDER BY c.first LIMIT ${most})
      SELECT sequence, at, actor_type, actor_id, type, object_id,
        CASE substr(type, 1, instr(type, '.') - 1)
          WHEN 'message' THEN (${ofMessage})
          WHEN 'conversation' THEN (${ofConversation})
          WHEN 'note' THEN (${ofNote})
          WHEN 'contact' THEN json_object('conversation_id', NULL, 'contact_id', object_id, 'campaign_id', NULL)
          WHEN 'campaign' THEN json_object('conversation_id', NULL, 'contact_id', NULL, 'campaign_id', object_id)
        END AS concerned
      FROM page`,
  );
}

const endRow = z.object({ sequence: z.number(), at: z.number() });

/** One row: sequence number and time of the newest event; 0 if the log is empty. */
export const selectLogEnd = (ctx: Ctx): Statement<z.infer<typeof endRow>> =>
  statement(
    endRow,
    sql`
      SELECT sequence, coalesce(${ofChunkWith(ctx, sql`sequence`, sql`at`)}, 0) AS at
      FROM (SELECT ${newestSequence(sql`${ctx.workspace.id}`)} AS sequence)`,
  );

const listenerOf = ({ workspace }: Ctx): WakeableObject => ["live", workspace.id];

/**
 * Registers the workspace's object as a listener for at least ten minutes. Without a known position, starts at the current end of
 * the log. Makes no query while an earlier registration lasts.
 */
export async function followLog(ctx: Ctx, known: Progress | null): Promise<Progress> {
  const now = ctx.now();
  if (known !== null && known.listensUntil > now + 2 * CHECK_MS) return known;
  const listensUntil = now + LISTEN_MS / 2;
  const { ends } = await transact(ctx.db, {
    listen: listenForEvents(ctx, listenerOf(ctx), { atLeast: listensUntil, until: now + LISTEN_MS }),
    ends: selectLogEnd(ctx),
  });
  const [end] = ends;
  if (end === undefined) throw new Error("The end of a log is always one row.");
  return { ...(known ?? end), listensUntil };
}

/** Ends the registration of `followLog`. */
export async function leaveLog(ctx: Ctx): Promise<void> {
  await transact(ctx.db, { stop: stopListening(ctx, listenerOf(ctx)) });
}

interface NewChanges {
  changes: LoggedChange[];
  /** False if there are more changes than in `changes`. */
  isComplete: boolean;
  progress: Progress;
}

/**
 * The changes logged since `known`. If there are too many, only the first are read, and the next read starts at the end of the log.
 */
export async function readNewChanges(ctx: Ctx, known: Progress): Promise<NewChanges> {
  const rows = await fetchRows(ctx.db, selectChanges(ctx, known.sequence, MAX_CHANGES));
  const changes = rows.map(({ concerned, ...change }) => ({
    ...change,
    conversation_id: concerned?.conversation_id ?? null,
    contact_id: concerned?.contact_id ?? null,
    campaign_id: concerned?.campaign_id ?? null,
    mentions: concerned?.mentions ?? [],
  }));
  const last = rows.at(-1);
  const progress = last === undefined ? known : { ...known, sequence: last.sequence, at: last.at };
  if (rows.length < MAX_CHANGES) return { changes, isComplete: true, progress };
  const end = await followLog(ctx, null);
  return { changes, isComplete: false, progress: end };
}
