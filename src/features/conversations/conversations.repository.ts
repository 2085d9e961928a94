import { sql } from "drizzle-orm";
import type { SQL } from "../../db/client.ts";
import type { Ctx } from "../../shared/context.ts";

const columns = sql`
  v.id AS id, c.id AS contact_id, c.name AS contact_name, c.phone AS contact_phone, v.connection_id AS connection_id,
  v.channel AS channel, v.last_message AS last_message, v.last_message_at AS last_message_at,
  v.unread_count AS unread_count, v.status AS status`;

export interface Filter {
  status: "open" | "done" | undefined;
  unread: boolean;
  limit: number;
  /** Continue behind this `last_message_at` and id. */
  after: readonly [number, string] | undefined;
}

/** Latest first, one row beyond `limit`. Both statuses are ranges of one index, merged as they are read. */
export function list(ctx: Ctx, { status, unread, limit, after }: Filter): Promise<unknown[]> {
  const ofStatus = (name: string) => sql`
    SELECT id, last_message_at AS at FROM conversations WHERE workspace_id = ${ctx.workspace.id} AND status = ${name}
    ${unread ? sql`AND unread_count > 0` : sql``}
    ${after === undefined ? sql`` : sql`AND (last_message_at, id) < (${after[0]}, ${after[1]})`}`;
  const ranges = status === undefined ? sql`${ofStatus("open")} UNION ALL ${ofStatus("done")}` : ofStatus(status);
  return ctx.db.all(sql`
    WITH page AS (${ranges} ORDER BY at DESC, id DESC LIMIT ${limit + 1})
    SELECT ${columns} FROM page CROSS JOIN conversations v ON v.id = page.id CROSS JOIN contacts c ON c.seq = v.contact_seq
    ORDER BY page.at DESC, page.id DESC`);
}

export async function find(ctx: Ctx, id: string): Promise<unknown> {
  const [row] = await ctx.db.all(sql`
    SELECT ${columns} FROM conversations v CROSS JOIN contacts c ON c.seq = v.contact_seq
    WHERE v.id = ${id} AND v.workspace_id = ${ctx.workspace.id}`);
  return row;
}

/** Those of a contact, one a connection, latest first. */
export const listOfContact = (ctx: Ctx, contactId: string, limit: number): Promise<unknown[]> =>
  ctx.db.all(sql`
    SELECT ${columns} FROM contacts c CROSS JOIN conversations v ON v.contact_seq = c.seq
    WHERE c.id = ${contactId} AND c.workspace_id = ${ctx.workspace.id} ORDER BY v.last_message_at DESC LIMIT ${limit}`);

/** One row with the conversation as JSON in `result`, or none. */
export const conversationAsJson = (ctx: Ctx, id: string): SQL => sql`
  SELECT json_object(
    'id', v.id, 'contact_id', c.id, 'contact_name', c.name, 'contact_phone', c.phone, 'connection_id', v.connection_id,
    'channel', v.channel, 'last_message', v.last_message, 'last_message_at', v.last_message_at,
    'unread_count', v.unread_count, 'status', v.status) AS result
  FROM conversations v CROSS JOIN contacts c ON c.seq = v.contact_seq
  WHERE v.id = ${id} AND v.workspace_id = ${ctx.workspace.id}`;

const update = (ctx: Ctx, id: string, assignments: SQL, condition: SQL): SQL =>
  sql`
    UPDATE conversations SET ${assignments} WHERE id = ${id} AND workspace_id = ${ctx.workspace.id} AND ${condition}`;

export const setStatus = (ctx: Ctx, id: string, status: "open" | "done", guard: SQL): SQL =>
  update(ctx, id, sql`status = ${status}`, sql`status <> ${status} AND ${guard}`);

export const markRead = (ctx: Ctx, id: string, guard: SQL): SQL =>
  update(ctx, id, sql`unread_count = 0, read_up_to = last_message_id`, sql`unread_count > 0 AND ${guard}`);

/** Opens or continues the conversation an outbound message belongs to, where that message exists. */
export const noteOutbound = (ctx: Ctx, newId: string, messageId: string): SQL =>
  sql`
    INSERT INTO conversations (id, workspace_id, contact_seq, connection_id, channel, last_message, last_message_at, last_message_id, created_at)
    SELECT ${newId}, m.workspace_id, m.contact_seq, m.connection_id, k.channel, m.body, m.created_at, m.id, m.created_at
    FROM messages m CROSS JOIN connections k ON k.id = m.connection_id WHERE m.id = ${messageId}
    ON CONFLICT (contact_seq, connection_id) DO UPDATE SET
      last_message = excluded.last_message, last_message_at = excluded.last_message_at, last_message_id = excluded.last_message_id
    WHERE excluded.last_message_id > last_message_id`;

export interface Inbound {
  messageId: string;
  connectionId: string;
  contactSeq: SQL;
  body: string;
  at: number;
}

/** Opens or continues, and reopens, the conversation of an inbound message; events may come in any order. */
export const noteInbound = (ctx: Ctx, newId: string, message: Inbound, condition: SQL): SQL =>
  sql`
    INSERT INTO conversations (id, workspace_id, contact_seq, connection_id, channel, unread_count,
      last_message, last_message_at, last_message_id, last_inbound_at, created_at)
    SELECT ${newId}, k.workspace_id, ${message.contactSeq}, k.id, k.channel, 1,
      ${message.body}, ${message.at}, ${message.messageId}, ${message.at}, ${message.at}
    FROM connections k WHERE k.id = ${message.connectionId} AND k.workspace_id = ${ctx.workspace.id} AND ${condition}
    ON CONFLICT (contact_seq, connection_id) DO UPDATE SET
      status = 'open', unread_count = unread_count + 1,
      last_inbound_at = max(coalesce(last_inbound_at, 0), excluded.last_inbound_at),
      last_message = iif(excluded.last_message_id > last_message_id, excluded.last_message, last_message),
      last_message_at = iif(excluded.last_message_id > last_message_id, excluded.last_message_at, last_message_at),
      last_message_id = max(last_message_id, excluded.last_message_id)`;
