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
    description: "Everybody who may sign in to this workspace, with their role.",
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
    description: "It holds from their next request. A workspace keeps at least one owner.",
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
    description: "They lose the workspace with their next request. A workspace keeps at least one owner.",
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
    summary: "Make a link by which a member sets a new password",
    description:
      "Hand on the `url`: it is in this answer only, works once and for an hour, and replaces earlier ones of the same person. Using it ends all their sessions. An owner's link is for people who belong to no other workspace, the operator's for anybody.",
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
    summary: "Confirm that a member is the person of their email",
    description:
      "A password set through an invitation opens the workspaces whose invitations it has accepted. Once confirmed, it opens all that have a member of the same email: those members become this one, and other passwords and sessions of the email end. Doing it twice changes nothing.",
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
    summary: "Invite somebody",
    description:
      "Hand on the `url`: it is in this answer only, works once and for 7 days. Another invitation of the same email replaces it. No mail is sent. The person signs in with a password they have, or sets one, which opens this workspace only.",
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
    description: "Expired ones too, until they are deleted.",
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
    description: "Its link no longer works.",
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
    description: "Conversations can be assigned to them. Their emails are not shown.",
    query: listMembersQuery,
    response: { members: z.array(memberSummary), next_cursor: z.string().nullable() },
  },
  async (ctx, { query: { limit, cursor } }) => {
    const { items, nextCursor } = page(await listMembers(ctx, limit, cursor?.[0]), limit, (row) => [row.user_id]);
    return { members: items.map(presentMemberSummary), next_cursor: nextCursor };
  },
);
