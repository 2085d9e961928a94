import type { Ctx } from "../../shared/context.ts";
import { notFound } from "../../shared/errors.ts";
import { findMessage, type MessageRecord } from "./messages.sql.ts";

/** Throws `not_found`. */
export async function getMessage(ctx: Ctx, id: string): Promise<MessageRecord> {
  const message = await findMessage(ctx, id);
  if (message === undefined) throw notFound("message");
  return message;
}
