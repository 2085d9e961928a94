import * as z from "zod";
import { createApi, publicApi } from "../../http/endpoint.ts";
import { page } from "../../http/fields.ts";
import { listConversationHistory } from "./conversation-history.ts";
import {
  acceptedView,
  historyPageQuery,
  historyView,
  messageView,
  presentAccepted,
  presentHistory,
  presentMessage,
  replyBody,
  sendMessageBody,
  sendTemplateBody,
} from "./messages.schemas.ts";
import { getMessage } from "./messages.service.ts";
import { replyInConversation, sendToPhone } from "./send/send-message.ts";
import { sendTemplate } from "./send/send-template.ts";

export const messagesApi = createApi("Messages", publicApi);

messagesApi.post(
  "/messages",
  {
    summary: "Send a message",
    description:
      "Answered once the message is durable; delivery follows at once. Read its `delivery` with GET /messages/:id.",
    body: sendMessageBody,
    example: { to: "+14155550100", text: "Your table is ready." },
    status: 202,
    response: acceptedView,
    errors: ["invalid_state", "unsubscribed", "window_closed"],
  },
  async (ctx, { body }) => presentAccepted(await sendToPhone(ctx, body.to, { text: body.text })),
);

messagesApi.post(
  "/templates/:id/send",
  {
    summary: "Send a template",
    description:
      "External templates go through the official connection they belong to, at any time; local ones through an unofficial one. " +
      "A named variable takes the value sent, else the contact's own (name, first_name, phone, email, company, address_as, " +
      "status, lifecycle_stage, or a custom field by its key), else its fallback.",
    body: sendTemplateBody,
    example: { to: "+14155550100", variables: { name: "Ada" } },
    status: 202,
    response: acceptedView,
    errors: [
      "not_found",
      "invalid_state",
      "template_not_approved",
      "channel_mismatch",
      "missing_variable",
      "unsubscribed",
    ],
  },
  async (ctx, { params, body }) => presentAccepted(await sendTemplate(ctx, params.id, body)),
);

messagesApi.get(
  "/messages/:id",
  {
    summary: "Get a message",
    description: "How far it has come, and why it failed where it did.",
    response: { message: messageView },
    errors: ["not_found"],
  },
  async (ctx, { params }) => ({ message: presentMessage(await getMessage(ctx, params.id)) }),
);

messagesApi.post(
  "/conversations/:id/messages",
  {
    summary: "Reply in a conversation",
    description: "Goes through the conversation's connection, also to people known only by a provider's user id.",
    body: replyBody,
    example: { text: "On its way!" },
    status: 202,
    response: acceptedView,
    errors: ["not_found", "invalid_state", "unsubscribed", "window_closed"],
  },
  async (ctx, { params, body }) => presentAccepted(await replyInConversation(ctx, params.id, { text: body.text })),
);

messagesApi.get(
  "/conversations/:id/messages",
  {
    summary: "List the messages of a conversation, newest first",
    description: "Inbound, direct and campaign messages of one contact on one connection.",
    query: historyPageQuery,
    response: { messages: z.array(historyView), next_cursor: z.string().nullable() },
    errors: ["not_found"],
  },
  async (ctx, { params, query: { limit, cursor } }) => {
    const records = await listConversationHistory(ctx, params.id, { limit, before: cursor?.[0] });
    const { items, nextCursor } = page(records, limit, (record) => [record.id]);
    return { messages: items.map(presentHistory), next_cursor: nextCursor };
  },
);
