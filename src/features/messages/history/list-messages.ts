import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { notFound } from "../../../shared/errors.ts";
import { contactNotFound } from "../../contacts/contacts.service.ts";
import { conversationNotFound } from "../../conversations/conversations.service.ts";
import { type MessageFilter, selectKnownIds, selectLastExamined, selectMessages } from "./list-messages.sql.ts";
import type { MessageRecord } from "../messages.sql.ts";

export interface MessagePage {
  messages: MessageRecord[];
  /** The id that the next page starts after; null at the end. */
  next: string | null;
}

/**
 * Newest first. A page that reaches its limit of examined messages can be short or empty although more exist. Throws `not_found`
 * for unknown ids.
 */
export async function listMessages(ctx: Ctx, filter: MessageFilter): Promise<MessagePage> {
  const { known, found, examined } = await transact(ctx.db, {
    known: selectKnownIds(ctx, filter),
    found: selectMessages(ctx, filter),
    examined: selectLastExamined(ctx, filter),
  });
  if (known[0]?.contact === 0) throw await contactNotFound(ctx, filter.contactId ?? "");
  if (known[0]?.conversation === 0) throw await conversationNotFound(ctx, filter.conversationId ?? "");
  if (known[0]?.campaign === 0) throw notFound("campaign");
  const messages = found.slice(0, filter.limit);
  const next = found.length > filter.limit ? messages.at(-1)?.id : examined[0]?.last;
  return { messages, next: next ?? null };
}
