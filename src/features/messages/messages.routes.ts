import * as z from "zod";
import { contactValueNames } from "../contacts/contacts.values.ts";
import { publicApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { encodeCursor, page } from "../../http/fields.ts";
import type { ErrorCode } from "../../shared/errors.ts";
import { listMessages } from "./history/list-messages.ts";
import {
  requestedAddressee,
  parseMessageRow,
  replyBody,
  sendBatchBody,
  sendMessageBody,
} from "./input/message-input.schemas.ts";
import { listConversationHistory } from "./history/conversation-history.ts";
import {
  acceptedView,
  historyPageQuery,
  listMessagesQuery,
  presentAccepted,
  presentSentRows,
  sendBatchView,
  sendTemplateBody,
} from "./messages.schemas.ts";
import { historyView, presentHistory, presentNote } from "./history/conversation-history.views.ts";
import { messageView, presentMessage } from "./messages.views.ts";
import { addNote } from "./notes/notes.service.ts";
import { addNoteBody } from "./notes/notes.schemas.ts";
import { cancelMessage, getMessage } from "./messages.service.ts";
import { sendBatch } from "./send/send-batch.ts";
import { replyInConversation, sendMessage } from "./send/send-message.ts";
import { sendTemplate } from "./send/send-template.ts";

const sendErrors: ErrorCode[] = [
  "not_found",
  "invalid_state",
  "unsubscribed",
  "window_closed",
  "unsupported_message",
  "unreachable",
  "media_invalid",
];

export const messagesApi = createApi("Messages", publicApi);

messagesApi.post(
  "/messages",
  {
    name: "messages.send",
    tool: { destructive: false, idempotent: false, openWorld: true },
    summary: "Send a message",
    description:
      "Returns 202 after the message is stored, and sends the message right after the response. `messages.get` returns the current `delivery`.",
    body: sendMessageBody,
    example: { to: "+14155550100", text: "Your table is ready." },
    status: 202,
    response: acceptedView,
    errors: sendErrors,
  },
  async (ctx, { body }) => presentAccepted(await sendMessage(ctx, requestedAddressee(body), body)),
);

messagesApi.post(
  "/messages/batch",
  {
    name: "messages.sendBatch",
    summary: "Send up to 100 messages",
    description:
      "Each entry is a body of `messages.send` and is accepted or rejected separately. Messages to one person are sent in the order of the list. " +
      "Repeating the request with its Idempotency-Key returns the same results and sends nothing again. If the request was interrupted, " +
      "the repeat accepts only the remaining messages. Without a key, the remaining messages of an interrupted request have the error `unavailable`.",
    body: sendBatchBody,
    example: {
      messages: [
        { to: "+14155550100", text: "Your table is ready." },
        { to: "+14155550101", text: "See you tomorrow!", metadata: { order: "1042" } },
      ],
    },
    rows: "messages",
    response: sendBatchView,
  },
  async (ctx, { body }) => {
    const rows = body.messages.map((row, index) => parseMessageRow(row, `messages.${index}`));
    return presentSentRows(await sendBatch(ctx, rows));
  },
);

messagesApi.post(
  "/templates/:id/send",
  {
    name: "templates.send",
    tool: { destructive: false, idempotent: false, openWorld: true },
    summary: "Send a template",
    description:
      "An external template can be sent at any time, but only through the official connection that it belongs to. A local template requires an unofficial connection. " +
      `A named variable gets the value in \`variables\`. Without this value, it gets the contact's value (${[...contactValueNames([])].join(", ")}, ` +
      "or a custom field by its key). Without both, it gets its fallback.",
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
      "unreachable",
    ],
  },
  async (ctx, { params, body }) => presentAccepted(await sendTemplate(ctx, params.id, requestedAddressee(body), body)),
);

messagesApi.get(
  "/messages",
  {
    name: "messages.list",
    tool: "read",
    summary: "List messages, newest first",
    description:
      "Requires at least one filter. Several filters combine with AND. A page examines at most 5,000 messages, so with `delivery` or several " +
      "filters, a page can be short or empty before the last page. Continue until `next_cursor` is null.",
    query: listMessagesQuery,
    response: { messages: z.array(messageView), next_cursor: z.string().nullable() },
    errors: ["not_found"],
  },
  async (ctx, { query: { contact_id, conversation_id, campaign_id, delivery, limit, cursor } }) => {
    const { messages, next } = await listMessages(ctx, {
      contactId: contact_id,
      conversationId: conversation_id,
      campaignId: campaign_id,
      delivery,
      limit,
      before: cursor?.[0],
    });
    return { messages: messages.map(presentMessage), next_cursor: next === null ? null : encodeCursor([next]) };
  },
);

messagesApi.post(
  "/messages/:id/cancel",
  {
    name: "messages.cancel",
    summary: "Cancel a scheduled message",
    description: "Cancels a message with `send_at` that was not sent yet. After it was sent, the request returns 409.",
    response: { message: messageView },
    errors: ["not_found", "invalid_state"],
  },
  async (ctx, { params }) => ({ message: presentMessage(await cancelMessage(ctx, params.id)) }),
);

messagesApi.get(
  "/messages/:id",
  {
    name: "messages.get",
    tool: "read",
    summary: "Get a message",
    description: "Returns the message with its `delivery`, and with the error if it failed.",
    response: { message: messageView },
    errors: ["not_found"],
  },
  async (ctx, { params }) => ({ message: presentMessage(await getMessage(ctx, params.id)) }),
);

messagesApi.post(
  "/conversations/:id/messages",
  {
    name: "conversations.reply",
    tool: { destructive: false, idempotent: false, openWorld: true },
    summary: "Reply in a conversation",
    description:
      "Sends the message through the conversation's connection, also to people who have a provider's user id but no number.",
    body: replyBody,
    example: { text: "On its way!" },
    status: 202,
    response: acceptedView,
    errors: sendErrors,
  },
  async (ctx, { params, body }) => presentAccepted(await replyInConversation(ctx, params.id, body)),
);

messagesApi.get(
  "/conversations/:id/messages",
  {
    name: "conversations.messages",
    tool: "read",
    summary: "List the messages of a conversation, newest first",
    description:
      "Returns inbound, direct and campaign messages of one contact on one connection. `include=notes` adds the notes of the conversation, sorted by time.",
    query: historyPageQuery,
    response: { messages: z.array(historyView), next_cursor: z.string().nullable() },
    errors: ["not_found"],
  },
  async (ctx, { params, query: { include, limit, cursor } }) => {
    const wanted = { limit, before: cursor?.[0], withNotes: include === "notes" };
    const records = await listConversationHistory(ctx, params.id, wanted);
    const { items, nextCursor } = page(records, limit, (record) => [record.id]);
    return { messages: items.map(presentHistory), next_cursor: nextCursor };
  },
);

messagesApi.post(
  "/conversations/:id/notes",
  {
    name: "conversations.addNote",
    summary: "Add a note to a conversation",
    description:
      "Notes are never sent. Members see them, and lists with `include=notes` return them. A note does not change the conversation's `last_message`. " +
      "`@` and the name of a member mentions the member.",
    body: addNoteBody,
    example: { body: "Called back. @Nora Berg please send the invoice." },
    status: 201,
    response: { message: historyView },
    errors: ["not_found"],
  },
  async (ctx, { params, body }) => ({ message: presentNote(await addNote(ctx, params.id, body.body)) }),
);
