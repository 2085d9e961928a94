import * as z from "zod";
import { publicApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { page } from "../../http/fields.ts";
import { listMembersQuery, memberSummary, presentMemberSummary } from "./members.schemas.ts";
import { listMembers } from "./members.service.ts";

export const teamApi = createApi("Members", publicApi);

teamApi.get(
  "/members",
  {
    name: "members.list",
    tool: "read",
    summary: "List the members of the workspace",
    description: "Conversations can be assigned to them. Their emails are not shown.",
    query: listMembersQuery,
    response: { members: z.array(memberSummary), next_cursor: z.string().nullable() },
  },
  async (ctx, { query: { limit, cursor } }) => {
    const { items, nextCursor } = page(await listMembers(ctx, limit, cursor?.[0]), limit, (row) => [row.user_id]);
    return { members: items.map(presentMemberSummary), next_cursor: nextCursor };
  },
);
