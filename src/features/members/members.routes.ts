import * as z from "zod";
import { publicApi, workspaceApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { page, timestamp } from "../../http/fields.ts";
import {
  changeMemberBody,
  invitationView,
  inviteBody,
  listInvitationsQuery,
  listMembersQuery,
  memberSummary,
  memberView,
  presentInvitation,
  presentMember,
  presentMemberSummary,
} from "./members.schemas.ts";
import {
  changeRole,
  confirmMember,
  inviteMember,
  listInvitations,
  listMembers,
  removeMember,
  revokeInvitation,
} from "./members.service.ts";
import { makeResetLink } from "./access/reset-password.ts";
import { iso } from "../../shared/time/iso-times.ts";

export const membersApi = createApi("Members", workspaceApi);

membersApi.get(
  "/workspaces/:ws/members",
  {
    name: "manage.members.list",
    summary: "List members",
    description: "Returns the people who can sign in to this workspace, with their roles.",
    role: "owner",
    query: listMembersQuery,
    response: { members: z.array(memberView), next_cursor: z.string().nullable() },
  },
  async (ctx, { query: { limit, cursor } }) => {
    const { items, nextCursor } = page(await listMembers(ctx, limit, cursor?.[0]), limit, (row) => [row.user_id]);
    return { members: items.map(presentMember), next_cursor: nextCursor };
  },
);

membersApi.patch(
  "/workspaces/:ws/members/:id",
  {
    name: "manage.members.update",
    summary: "Change a member's role",
    description: "The new role applies to the member's next request. A workspace must keep at least one owner.",
    role: "owner",
    body: changeMemberBody,
    example: { role: "admin" },
    response: { member: memberView },
    errors: ["not_found", "invalid_state"],
  },
  async (ctx, { params, body }) => ({ member: presentMember(await changeRole(ctx, params.id, body.role)) }),
);

membersApi.delete(
  "/workspaces/:ws/members/:id",
  {
    name: "manage.members.delete",
    summary: "Remove a member",
    description: "Tidings rejects the member's next request. A workspace must keep at least one owner.",
    role: "owner",
    response: { member: memberView },
    errors: ["not_found", "invalid_state"],
  },
  async (ctx, { params }) => ({ member: presentMember(await removeMember(ctx, params.id)) }),
);

membersApi.post(
  "/workspaces/:ws/members/:id/reset-link",
  {
    name: "manage.members.createResetLink",
    summary: "Create a password reset link",
    description:
      "Send the `url` to the member. No other response contains the `url`. The link can be used once, within an hour, and replaces the person's earlier links. Using the link ends all sessions of the person. An owner can create links only for people without other workspaces. The operator can create links for anybody.",
    role: "owner",
    status: 201,
    response: { reset_link: z.strictObject({ url: z.string(), expires_at: timestamp }) },
    errors: ["not_found"],
  },
  async (ctx, { params, origin }) => {
    const { path, expiresAt } = await makeResetLink(ctx, params.id);
    return { reset_link: { url: origin + path, expires_at: iso(expiresAt) } };
  },
);

membersApi.post(
  "/workspaces/:ws/members/:id/confirm",
  {
    name: "manage.members.confirm",
    summary: "Confirm a member's email",
    description:
      "Confirms that the email belongs to the person. Before, a password that was set through an invitation opens only the workspaces whose invitations the person accepted with it. After the confirmation, the password opens all workspaces with a member of this email. These members become one member, and other passwords and sessions of this email end. Repeating the call changes nothing.",
    role: "operator",
    response: { member: memberView },
    errors: ["not_found"],
  },
  async (ctx, { params }) => ({ member: presentMember(await confirmMember(ctx, params.id)) }),
);

membersApi.post(
  "/workspaces/:ws/invitations",
  {
    name: "manage.invitations.create",
    summary: "Invite a person",
    description:
      "Send the `url` to the person, because Tidings sends no mail. No other response contains the `url`. The link can be used once, within 7 days. A new invitation to the same email replaces the invitation. The person signs in with an existing password, or sets a password that opens only this workspace.",
    role: "owner",
    body: inviteBody,
    example: { email: "ada@example.com", role: "agent" },
    status: 201,
    response: { invitation: z.strictObject({ id: z.string(), url: z.string(), expires_at: timestamp }) },
    errors: ["not_found", "conflict"],
  },
  async (ctx, { body, origin }) => {
    const { id, path, expiresAt } = await inviteMember(ctx, body);
    return { invitation: { id, url: origin + path, expires_at: iso(expiresAt) } };
  },
);

membersApi.get(
  "/workspaces/:ws/invitations",
  {
    name: "manage.invitations.list",
    summary: "List invitations that have not been accepted, newest first",
    description: "Includes expired invitations until they are deleted.",
    role: "owner",
    query: listInvitationsQuery,
    response: { invitations: z.array(invitationView), next_cursor: z.string().nullable() },
  },
  async (ctx, { query: { limit, cursor } }) => {
    const { items, nextCursor } = page(await listInvitations(ctx, limit, cursor?.[0]), limit, (row) => [row.id]);
    return { invitations: items.map(presentInvitation), next_cursor: nextCursor };
  },
);

membersApi.delete(
  "/workspaces/:ws/invitations/:id",
  {
    name: "manage.invitations.delete",
    summary: "Revoke an invitation",
    description: "The link of the invitation stops working.",
    role: "owner",
    response: { invitation: invitationView },
    errors: ["not_found"],
  },
  async (ctx, { params }) => ({ invitation: presentInvitation(await revokeInvitation(ctx, params.id)) }),
);

export const teamApi = createApi("Members", publicApi);

teamApi.get(
  "/members",
  {
    name: "members.list",
    tool: "read",
    summary: "List the members of the workspace",
    description: "Returns the members to whom you can assign conversations, without their emails.",
    query: listMembersQuery,
    response: { members: z.array(memberSummary), next_cursor: z.string().nullable() },
  },
  async (ctx, { query: { limit, cursor } }) => {
    const { items, nextCursor } = page(await listMembers(ctx, limit, cursor?.[0]), limit, (row) => [row.user_id]);
    return { members: items.map(presentMemberSummary), next_cursor: nextCursor };
  },
);
