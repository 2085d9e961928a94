import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { requireSendingConnection } from "../../shared/access/actor.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import { columns, insertSelect } from "../../db/columns.ts";
import { connections, contacts, conversations } from "../../db/schema/index.ts";
import { statement } from "../../db/statement.ts";
import { contactNotFound } from "../contacts/contacts.service.ts";
import { commitOnce } from "../commits/commit-once.ts";
import { userIdAt } from "../contacts/identity/provider-ids.sql.ts";
import { appendEvents, event } from "../events/append-events.sql.ts";
import { conversationRecord } from "./conversations.schemas.ts";
import { conversationAsJson } from "./conversations.sql.ts";

const c = columns(contacts, "c");
const k = columns(connections, "k");
const p = columns(contacts, "p");
const v = columns(conversations, "v");

interface StartTarget {
  contactId: string;
  connectionId: string;
}

/** Ends in a WHERE clause, to which callers append conditions. Raw SQL for CROSS JOIN. */
const personAt = (ctx: Ctx, { contactId, connectionId }: StartTarget): SQL => sql`
  FROM contacts c CROSS JOIN connections k ON ${k.id} = ${connectionId} AND ${k.workspaceId} = ${c.workspaceId} AND ${k.deletedAt} IS NULL
  WHERE ${c.id} = ${contactId} AND ${c.workspaceId} = ${ctx.workspace.id}`;

const isReachable = sql`(${c.phone} IS NOT NULL OR ${userIdAt(c.seq, k.id)} IS NOT NULL)`;

const reachability = z.object({ is_reachable: z.number() });

const selectReachability = (ctx: Ctx, target: StartTarget) =>
  statement(reachability, sql`SELECT ${isReachable} AS is_reachable ${personAt(ctx, target)}`);

function insertConversation(ctx: Ctx, id: string, target: StartTarget, guard: SQL): SQL[] {
  const isNew = sql`
    ${personAt(ctx, target)} AND ${isReachable} AND ${guard}
    AND NOT EXISTS (SELECT 1 FROM conversations v WHERE ${v.contactSeq} = ${c.seq} AND ${v.connectionId} = ${k.id})`;
  return [
    appendEvents(ctx, sql`SELECT ${event("conversation.opened", id, sql`'{"status":[null,"open"]}'`)} ${isNew}`),
    insertSelect(
      conversations,
      {
        id,
        workspaceId: c.workspaceId,
        contactSeq: c.seq,
        connectionId: k.id,
        channel: k.channel,
        lastMessage: sql`''`,
        lastMessageAt: ctx.now(),
        lastMessageId: sql`''`,
        createdAt: ctx.now(),
      },
      isNew,
    ),
  ];
}

const startedConversationAsJson = (ctx: Ctx, newId: string, target: StartTarget): SQL => sql`
  SELECT json_object('conversation', json((${conversationAsJson(ctx, sql`found.id`)})), 'created', found.id = ${newId}) AS result
  FROM (SELECT ${v.id} AS id FROM contacts p
    CROSS JOIN conversations v ON ${v.contactSeq} = ${p.seq} AND ${v.connectionId} = ${target.connectionId}
    WHERE ${p.id} = ${target.contactId} AND ${p.workspaceId} = ${ctx.workspace.id}) AS found`;

const started = z.object({ conversation: conversationRecord, created: z.number() });

export async function startConversation(ctx: Ctx, contactId: string) {
  const connectionId = requireSendingConnection(ctx);
  const id = ctx.newId("cnv");
  const target = { contactId, connectionId };
  const { result, explains } = await commitOnce(ctx, {
    effects: (guard) => insertConversation(ctx, id, target, guard),
    result: startedConversationAsJson(ctx, id, target),
    shape: started,
    explains: selectReachability(ctx, target),
  });
  if (result !== null) return { conversation: result.conversation, created: result.created === 1 };
  if (explains.length === 0) throw await contactNotFound(ctx, contactId);
  throw new AppError("unreachable", "This contact has no address on this connection.", { contact_id: contactId });
}
