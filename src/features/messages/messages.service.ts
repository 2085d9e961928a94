// Raw SQL, because the statements that append the event and cancel the message share one condition.
import * as z from "zod";
import { sql, type SQL } from "drizzle-orm";
import { columns, updateSet } from "../../db/columns.ts";
import { readRows } from "../../db/rows.ts";
import { messages } from "../../db/schema/index.ts";
import { type Statement, statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { appendEvents, event } from "../events/append-events.sql.ts";
import { commitOnce } from "../commits/commit-once.ts";
import {
  findMessage,
  type MessageRecord,
  isHiddenReaction,
  isNeverSent,
  messageAsJson,
  messageJsonRecord,
} from "./messages.sql.ts";
import { cancellableStates, state, toDelivery } from "./messages.states.ts";
import { deliveryChange, deliveryOf } from "./settle/record-moves.sql.ts";

const m = columns(messages, "m");

export async function getMessage(ctx: Ctx, id: string): Promise<MessageRecord> {
  const message = await findMessage(ctx, id);
  if (message === undefined) throw notFound("message");
  return message;
}

/**
 * Only a message without an attempt can be cancelled, because an attempt might already have sent it. The message stores
 * `operationId` as its claim token. From this token, `cancelledMessageAsJson` knows whether this request cancelled the
 * message.
 */
function cancelScheduled(ctx: Ctx, id: string, operationId: string, guard: SQL): SQL[] {
  const waits = sql`
    id = ${id} AND workspace_id = ${ctx.workspace.id} AND send_at IS NOT NULL AND attempts = 0
    AND state IN (${sql.join(cancellableStates, sql`, `)}) AND type IS NOT 'reaction' AND ${guard}`;
  const change = deliveryChange(deliveryOf(sql`state`), sql`'cancelled'`);
  return [
    appendEvents(ctx, sql`SELECT ${event("message.failed", sql`id`, change)} FROM messages WHERE ${waits}`),
    updateSet(messages, { state: state.cancelled, nextAttemptAt: null, claimToken: operationId }, sql`WHERE ${waits}`),
  ];
}

const cancelledMessageAsJson = (ctx: Ctx, id: string, operationId: string): SQL =>
  sql`${messageAsJson(ctx, sql`${id}`)} AND ${m.state} = ${state.cancelled} AND ${m.claimToken} = ${operationId}`;

const deliveryRow = z.object({ state: z.number() });

const selectDelivery = (ctx: Ctx, id: string): Statement<z.infer<typeof deliveryRow>> =>
  statement(
    deliveryRow,
    sql`
      SELECT ${m.state} FROM messages m
      WHERE ${m.id} = ${id} AND ${m.workspaceId} = ${ctx.workspace.id} AND NOT ${isHiddenReaction(m)} AND NOT ${isNeverSent(m)}`,
  );

const storedRow = z.custom<object>();

export async function cancelMessage(ctx: Ctx, id: string): Promise<MessageRecord> {
  const operationId = ctx.newId("op");
  const { result, explains } = await commitOnce(ctx, {
    effects: (guard) => cancelScheduled(ctx, id, operationId, guard),
    result: cancelledMessageAsJson(ctx, id, operationId),
    shape: storedRow,
    explains: selectDelivery(ctx, id),
  });
  const [cancelled] = readRows(messageJsonRecord, result === null ? [] : [result], ctx.db.checksRows);
  if (cancelled !== undefined) return cancelled;
  const [found] = explains;
  if (found === undefined) throw notFound("message");
  const status = toDelivery(found.state);
  const message =
    status === "cancelled"
      ? "This message was already cancelled."
      : "Only a message with send_at can be cancelled, and only before it is sent.";
  throw new AppError("invalid_state", message, { status });
}
