import * as z from "zod";
import { publicApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { page } from "../../http/fields.ts";
import {
  type CannedReplyRecord,
  cannedReplyView,
  createCannedReplyBody,
  listCannedRepliesQuery,
  presentCannedReply,
  updateCannedReplyBody,
} from "./canned-replies.schemas.ts";
import {
  createCannedReply,
  deleteCannedReply,
  getCannedReply,
  listCannedReplies,
  updateCannedReply,
} from "./canned-replies.service.ts";

export const cannedRepliesApi = createApi("Canned replies", publicApi);

const cannedReplyResponse = (record: CannedReplyRecord) => ({
  canned_reply: presentCannedReply(record),
  revision: record.revision,
});

cannedRepliesApi.get(
  "/canned-replies",
  {
    name: "cannedReplies.list",
    summary: "List canned replies, newest first",
    description: "Canned replies are texts that members insert into a reply by typing a slash and the shortcut.",
    query: listCannedRepliesQuery,
    response: { canned_replies: z.array(cannedReplyView), next_cursor: z.string().nullable() },
  },
  async (ctx, { query: { limit, cursor } }) => {
    const { items, nextCursor } = page(await listCannedReplies(ctx, limit, cursor?.[0]), limit, ({ id }) => [id]);
    return { canned_replies: items.map(presentCannedReply), next_cursor: nextCursor };
  },
);

cannedRepliesApi.post(
  "/canned-replies",
  {
    name: "cannedReplies.create",
    summary: "Create a canned reply",
    description:
      "The text can contain the same variables as a template. The console replaces them with the person's values, and the member sees the values before sending.",
    body: createCannedReplyBody,
    example: { shortcut: "hours", body: "Hello {{first_name|there}}, we are open from 9 to 18 h, Monday to Friday." },
    status: 201,
    response: { canned_reply: cannedReplyView },
    returnsETag: true,
    errors: ["conflict"],
  },
  async (ctx, { body }) => cannedReplyResponse(await createCannedReply(ctx, body)),
);

cannedRepliesApi.get(
  "/canned-replies/:id",
  {
    name: "cannedReplies.get",
    summary: "Get a canned reply",
    description: "Returns the canned reply with its shortcut, text and variables.",
    response: { canned_reply: cannedReplyView },
    returnsETag: true,
    errors: ["not_found"],
  },
  async (ctx, { params }) => cannedReplyResponse(await getCannedReply(ctx, params.id)),
);

cannedRepliesApi.patch(
  "/canned-replies/:id",
  {
    name: "cannedReplies.update",
    summary: "Change a canned reply",
    description: "Changes only the fields that are sent. Replies that were already sent do not change.",
    body: updateCannedReplyBody,
    example: { body: "Hello {{first_name|there}}, we are open from 8 to 18 h, Monday to Friday." },
    response: { canned_reply: cannedReplyView },
    returnsETag: true,
    errors: ["not_found", "conflict"],
  },
  async (ctx, { params, body }) => cannedReplyResponse(await updateCannedReply(ctx, params.id, body)),
);

cannedRepliesApi.delete(
  "/canned-replies/:id",
  {
    name: "cannedReplies.delete",
    summary: "Delete a canned reply",
    description: "Returns the deleted canned reply.",
    response: { canned_reply: cannedReplyView },
    returnsETag: true,
    errors: ["not_found"],
  },
  async (ctx, { params }) => cannedReplyResponse(await deleteCannedReply(ctx, params.id)),
);
