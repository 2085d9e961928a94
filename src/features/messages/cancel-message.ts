import * as z from "zod";
import { readRows } from "../../db/rows.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { commitOnce } from "../idempotency/idempotency.service.ts";
import { cancelScheduled, cancelledMessageAsJson, selectDelivery } from "./cancel-message.sql.ts";
import { type MessageRecord, messageJsonRecord } from "./messages.sql.ts";
import { toDelivery } from "./messages.states.ts";

/** A message as the database gives it: the answer to a repeat is read in the same way. */
const storedRow = z.custom<object>();

/** Takes a scheduled message back. Throws `not_found`, and `invalid_state` once it has left or has no time of its own. */
export async function cancelMessage(ctx: Ctx, id: string): Promise<MessageRecord> {
  const operationId = ctx.newId("op");
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => cancelScheduled(ctx, id, operationId, guard),
    result: cancelledMessageAsJson(ctx, id, operationId),
    shape: storedRow,
    facts: selectDelivery(ctx, id),
  });
  const [cancelled] = readRows(messageJsonRecord, result === null ? [] : [result], ctx.db.checksRows);
  if (cancelled !== undefined) return cancelled;
  const [found] = facts;
  if (found === undefined) throw notFound("message");
  const status = toDelivery(found.state);
  const message =
    status === "cancelled"
      ? "This message has been cancelled already."
      : "Only a message with a send_at can be cancelled, and only before it leaves.";
  throw new AppError("invalid_state", message, { status });
}
