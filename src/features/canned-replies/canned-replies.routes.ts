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

const answerCannedReply = (record: CannedReplyRecord) => ({
  canned_reply: presentCannedReply(record),
  revision: record.revision,
});

cannedRepliesApi.get(
  "/canned-replies",
  {
    name: "cannedReplies.list",
    summary: "List canned replies, newest first",
    description: "Texts that members put into a reply by typing a slash and the shortcut.",
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
    description: "Its variables are those of templates; members see them filled in for the person before they send.",
    body: createCannedReplyBody,
    example: { shortcut: "hours", body: "Hello {{first_name|there}}, we are open from 9 to 18 h, Monday to Friday." },
    status: 201,
    response: { canned_reply: cannedReplyView },
    isRevisioned: true,
    errors: ["conflict"],
  },
  async (ctx, { body }) => answerCannedReply(await createCannedReply(ctx, body)),
);

cannedRepliesApi.get(
  "/canned-replies/:id",
  {
    name: "cannedReplies.get",
    summary: "Get a canned reply",
    description: "Its shortcut, its text, and the variables in it.",
    response: { canned_reply: cannedReplyView },
    isRevisioned: true,
    errors: ["not_found"],
  },
  async (ctx, { params }) => answerCannedReply(await getCannedReply(ctx, params.id)),
);

cannedRepliesApi.patch(
  "/canned-replies/:id",
  {
    name: "cannedReplies.update",
    summary: "Change a canned reply",
    description: "Only what is sent changes. Replies that were sent with it stay as they are.",
    body: updateCannedReplyBody,
    example: { body: "Hello {{first_name|there}}, we are open from 8 to 18 h, Monday to Friday." },
    response: { canned_reply: cannedReplyView },
    isRevisioned: true,
    errors: ["not_found", "conflict"],
  },
  async (ctx, { params, body }) => answerCannedReply(await updateCannedReply(ctx, params.id, body)),
);

cannedRepliesApi.delete(
  "/canned-replies/:id",
  {
    name: "cannedReplies.delete",
    summary: "Delete a canned reply",
    description: "Answers the canned reply as it was.",
    response: { canned_reply: cannedReplyView },
    isRevisioned: true,
    errors: ["not_found"],
  },
  async (ctx, { params }) => answerCannedReply(await deleteCannedReply(ctx, params.id)),
);
