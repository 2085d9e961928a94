// Cancelling a scheduled message. Raw, because the event and the update depend on one condition within a batch.
import { sql } from "drizzle-orm";
import * as z from "zod";
import { columns, updateSet } from "../../db/columns.ts";
import { messages } from "../../db/schema/index.ts";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { appendEvents, event } from "../events/append-events.sql.ts";
import { isHiddenReaction, isNeverSent, messageAsJson } from "./messages.sql.ts";
import { cancellableStates, state } from "./messages.states.ts";
import { deliveryChange, deliveryOf } from "./settle/record-moves.sql.ts";

const m = columns(messages, "m");

/** Takes a scheduled message back before its first attempt; `message.failed` tells it. `operationId` marks the request that did. */
export function cancelScheduled(ctx: Ctx, id: string, operationId: string, guard: SQL): SQL[] {
  const waits = sql`
    id = ${id} AND workspace_id = ${ctx.workspace.id} AND send_at IS NOT NULL AND attempts = 0
    AND state IN (${sql.join(cancellableStates, sql`, `)}) AND type IS NOT 'reaction' AND ${guard}`;
  const change = deliveryChange(deliveryOf(sql`state`), sql`'cancelled'`);
  return [
    appendEvents(ctx, sql`SELECT ${event("message.failed", sql`id`, change)} FROM messages WHERE ${waits}`),
    updateSet(messages, { state: state.cancelled, nextAttemptAt: null, claimToken: operationId }, sql`WHERE ${waits}`),
  ];
}

/** One row with the message as JSON in `result`, where this operation cancelled it; or none. */
export const cancelledMessageAsJson = (ctx: Ctx, id: string, operationId: string): SQL =>
  sql`${messageAsJson(ctx, sql`${id}`)} AND ${m.state} = ${state.cancelled} AND ${m.claimToken} = ${operationId}`;

const deliveryRow = z.object({ state: z.number() });

/** How far the message has come, or no row. */
export const selectDelivery = (ctx: Ctx, id: string): Statement<z.infer<typeof deliveryRow>> =>
  statement(
    deliveryRow,
    sql`
      SELECT ${m.state} FROM messages m
      WHERE ${m.id} = ${id} AND ${m.workspaceId} = ${ctx.workspace.id} AND NOT ${isHiddenReaction(m)} AND NOT ${isNeverSent(m)}`,
  );
