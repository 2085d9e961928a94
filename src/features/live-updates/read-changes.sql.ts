// Raw, because SQLite unpacks the JSON of the log's chunks and joins the records of each event.
import { sql } from "drizzle-orm";
import * as z from "zod";
import { statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/text/json.ts";
import { currentContactSeq } from "../contacts/identity/identify-people.sql.ts";
import { ofChunkWith, pageColumns } from "../event-feed/read-events.sql.ts";
import { newestSequence } from "../events/log-bounds.sql.ts";

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
