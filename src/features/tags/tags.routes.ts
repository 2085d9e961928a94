import * as z from "zod";
import { publicApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { page } from "../../http/fields.ts";
import { createTagBody, listTagsQuery, presentTag, tagView, updateTagBody } from "./tags.schemas.ts";
import { createTag, deleteTag, listTags, updateTag } from "./tags.service.ts";

export const tagsApi = createApi("Tags", publicApi);

tagsApi.get(
  "/tags",
  {
    name: "tags.list",
    tool: "read",
    summary: "List tags, newest first",
    description: "Returns all tags of the workspace.",
    query: listTagsQuery,
    response: { tags: z.array(tagView), next_cursor: z.string().nullable() },
  },
  async (ctx, { query: { limit, cursor } }) => {
    const { items, nextCursor } = page(await listTags(ctx, limit, cursor?.[0]), limit, ({ number }) => [number]);
    return { tags: items.map(presentTag), next_cursor: nextCursor };
  },
);

tagsApi.post(
  "/tags",
  {
    name: "tags.create",
    summary: "Create a tag",
    description: "Names are unique regardless of case. Without `color`, the tag gets a color from a palette.",
    body: createTagBody,
    example: { name: "Regular", color: "#b45309" },
    status: 201,
    response: { tag: tagView },
    errors: ["conflict"],
  },
  async (ctx, { body }) => ({ tag: presentTag(await createTag(ctx, body)) }),
);

tagsApi.patch(
  "/tags/:id",
  {
    name: "tags.update",
    summary: "Rename or recolor a tag",
    description: "Contacts and segments that have the tag keep it.",
    body: updateTagBody,
    example: { name: "Very important" },
    response: { tag: tagView },
    errors: ["not_found", "conflict"],
  },
  async (ctx, { params, body }) => ({ tag: presentTag(await updateTag(ctx, params.id, body)) }),
);

tagsApi.delete(
  "/tags/:id",
  {
    name: "tags.delete",
    summary: "Delete a tag",
    description: "Removes the tag from every contact immediately.",
    response: { tag: tagView },
    errors: ["not_found"],
  },
  async (ctx, { params }) => ({ tag: presentTag(await deleteTag(ctx, params.id)) }),
);
