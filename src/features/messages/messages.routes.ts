import * as z from "zod";
import { createApi, publicApi } from "../../http/endpoint.ts";
import { page } from "../../http/fields.ts";
import {
  acceptedView,
  historyQuery,
  historyView,
  messageView,
  presentHistory,
  presentMessage,
  replyBody,
  sendMessageBody,
} from "./messages.schemas.ts";
import { getMessage, listHistory } from "./messages.service.ts";
import { replyInConversation, sendText } from "./send-message.ts";

export const messagesApi = createApi("Messages", publicApi);

const presentAccepted = (accepted: Awaited<ReturnType<typeof sendText>>) => ({
  message_id: accepted.message_id,
  conversation_id: accepted.conversation_id,
  contact_id: accepted.contact_id,
  status: "queued" as const,
});

messagesApi.post(
  "/messages",
  {
    summary: "Send a message",
    description:
      "Answered once the message is durable; delivery follows at once. Read its `delivery` with GET /messages/:id.",
    body: sendMessageBody,
    status: 202,
    response: acceptedView,
    errors: ["invalid_state", "unsubscribed", "window_closed"],
  },
  async (ctx, { body }) => presentAccepted(await sendText(ctx, body)),
);

messagesApi.get(
  "/messages/:id",
  { summary: "Get a message", response: { message: messageView }, errors: ["not_found"] },
  async (ctx, { params }) => ({ message: presentMessage(await getMessage(ctx, params.id)) }),
);

messagesApi.post(
  "/conversations/:id/messages",
  {
    summary: "Reply in a conversation",
    description: "Goes through the conversation's connection, also to people known only by a provider's user id.",
    body: replyBody,
    status: 202,
    response: acceptedView,
    errors: ["not_found", "invalid_state", "unsubscribed", "window_closed"],
  },
  async (ctx, { params, body }) => presentAccepted(await replyInConversation(ctx, params.id, body.text)),
);

messagesApi.get(
  "/conversations/:id/messages",
  {
    summary: "List the messages of a conversation, newest first",
    query: historyQuery,
    response: { messages: z.array(historyView), next_cursor: z.string().nullable() },
    errors: ["not_found"],
  },
  async (ctx, { params, query: { limit, cursor } }) => {
    const { items, nextCursor } = page(await listHistory(ctx, params.id, limit, cursor?.[0]), limit, (row) => [row.id]);
    return { messages: items.map(presentHistory), next_cursor: nextCursor };
  },
);
