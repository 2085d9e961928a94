import * as z from "zod";
import { publicApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { encodeCursor } from "../../http/fields.ts";
import {
  bulkCounts,
  bulkResult,
  bulkUpdateBody,
  conversationView,
  listConversationsQuery,
  markReadBody,
  presentConversation,
  startConversationBody,
  updateConversationBody,
} from "./conversations.schemas.ts";
import { updateConversation, updateConversations } from "./team/change-conversations.ts";
import { getConversation, listConversations, markConversationRead } from "./conversations.service.ts";
import { startConversation } from "./start-conversation.ts";

export const conversationsApi = createApi("Conversations", publicApi);

conversationsApi.get(
  "/conversations",
  {
    name: "conversations.list",
    tool: "read",
    summary: "List conversations, latest first",
    description:
      "Sorted by the time of the last direct or inbound message: a conversation that gets a message while you page moves to the top, so later pages do not contain it. Filters combine with AND. " +
      "The list includes snoozed conversations; `snoozed=false` excludes them. A search for text that very many contacts or messages contain " +
      "can return a short or empty page before the last one: continue until `next_cursor` is null.",
    query: listConversationsQuery,
    response: { conversations: z.array(conversationView), next_cursor: z.string().nullable() },
  },
  async (ctx, { query: { unread = false, cursor: after, ...filter } }) => {
    const { conversations, next } = await listConversations(ctx, { ...filter, unread, after });
    return {
      conversations: conversations.map(presentConversation),
      next_cursor: next === null ? null : encodeCursor(next),
    };
  },
);

conversationsApi.post(
  "/conversations",
  {
    name: "conversations.start",
    summary: "Start a conversation",
    description:
      "Starts a conversation with a contact on the key's connection. Sends no message: use `conversations.reply` to write. Returns 200 if the conversation already exists.",
    body: startConversationBody,
    example: { contact_id: "ct_01kb9rb1q5v8n3m7c0x2t4y6hp" },
    status: 200,
    otherStatus: { status: 201, when: ({ created }) => created },
    response: { conversation: conversationView, created: z.boolean() },
    errors: ["not_found", "unreachable"],
  },
  async (ctx, { body }) => {
    const { conversation, created } = await startConversation(ctx, body.contact_id);
    return { conversation: presentConversation(conversation), created };
  },
);

conversationsApi.post(
  "/conversations/bulk",
  {
    name: "conversations.bulkUpdate",
    summary: "Change up to 100 conversations",
    description:
      "Applies the same change to all conversations. The result of a repeated id is `unchanged`. An unknown id does not affect the other conversations.",
    body: bulkUpdateBody,
    example: { ids: ["cnv_01kb9rf6z2w4k8j1d3s5a7g9qx"], status: "done" },
    response: { results: z.array(bulkResult), counts: bulkCounts },
    errors: ["not_found"],
  },
  async (ctx, { body }) => updateConversations(ctx, body),
);

conversationsApi.get(
  "/conversations/:id",
  {
    name: "conversations.get",
    tool: "read",
    summary: "Get a conversation",
    description: "Returns the conversation with its contact, its last message and the number of unread messages.",
    response: { conversation: conversationView },
    errors: ["not_found"],
  },
  async (ctx, { params }) => ({ conversation: presentConversation(await getConversation(ctx, params.id)) }),
);

conversationsApi.patch(
  "/conversations/:id",
  {
    name: "conversations.update",
    summary: "Change a conversation",
    description:
      "Changes only the fields that are sent. The next inbound message reopens a `done` conversation and ends a snooze. If a member is removed " +
      "from the workspace, their conversations become unassigned within two minutes.",
    body: updateConversationBody,
    example: { status: "open", labels: ["Refund", "Urgent"] },
    response: { conversation: conversationView },
    errors: ["not_found"],
  },
  async (ctx, { params, body }) => ({
    conversation: presentConversation(await updateConversation(ctx, params.id, body)),
  }),
);

conversationsApi.post(
  "/conversations/:id/read",
  {
    name: "conversations.markRead",
    summary: "Mark a conversation read",
    description:
      "Sets `unread_count` to 0 and marks the inbound messages as `read`. If messages were unread, the provider then receives a read receipt, " +
      "so that the person sees that the messages were read. A failed receipt is retried twice.",
    body: markReadBody,
    isBodyOptional: true,
    example: { receipt: false },
    response: { conversation: conversationView },
    errors: ["not_found"],
  },
  async (ctx, { params, body }) => ({
    conversation: presentConversation(await markConversationRead(ctx, params.id, body.receipt ?? true)),
  }),
);
