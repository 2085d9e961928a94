import * as z from "zod";
import { createApi, publicApi } from "../../http/endpoint.ts";
import { page } from "../../http/fields.ts";
import {
  conversationView,
  listConversationsQuery,
  markReadBody,
  presentConversation,
  updateConversationBody,
} from "./conversations.schemas.ts";
import {
  getConversation,
  listConversations,
  markConversationRead,
  setConversationStatus,
} from "./conversations.service.ts";

export const conversationsApi = createApi("Conversations", publicApi);

conversationsApi.get(
  "/conversations",
  {
    name: "conversations.list",
    tool: "read",
    summary: "List conversations, latest first",
    description:
      "Those with a direct or inbound message, by the time of the last one. One that receives a message during a walk moves to the top.",
    query: listConversationsQuery,
    response: { conversations: z.array(conversationView), next_cursor: z.string().nullable() },
  },
  async (ctx, { query: { status, unread, limit, cursor } }) => {
    const rows = await listConversations(ctx, { status, unread: unread ?? false, limit, after: cursor });
    const { items, nextCursor } = page(rows, limit, (row) => [row.last_message_at, row.id]);
    return { conversations: items.map(presentConversation), next_cursor: nextCursor };
  },
);

conversationsApi.get(
  "/conversations/:id",
  {
    name: "conversations.get",
    tool: "read",
    summary: "Get a conversation",
    description: "The contact, the last message, and how many are unread.",
    response: { conversation: conversationView },
    errors: ["not_found"],
  },
  async (ctx, { params }) => ({ conversation: presentConversation(await getConversation(ctx, params.id)) }),
);

conversationsApi.patch(
  "/conversations/:id",
  {
    name: "conversations.update",
    summary: "Open or close a conversation",
    description: "`done` files it; the next inbound message opens it again.",
    body: updateConversationBody,
    example: { status: "done" },
    response: { conversation: conversationView },
    errors: ["not_found"],
  },
  async (ctx, { params, body }) => ({
    conversation: presentConversation(await setConversationStatus(ctx, params.id, body.status)),
  }),
);

conversationsApi.post(
  "/conversations/:id/read",
  {
    name: "conversations.markRead",
    summary: "Mark a conversation read",
    description:
      "Sets `unread_count` to 0, and its inbound messages to `read`. The provider is told after the answer, so that the person sees the " +
      "ticks, unless nothing was unread. A provider that cannot be told now is tried again, then let be.",
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
