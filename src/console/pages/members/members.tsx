import {
  changeMemberBody,
  inviteBody,
  type InvitationRecord,
  listMembersQuery,
  type MemberRecord,
} from "../../../features/members/members.schemas.ts";
import {
  changeRole,
  inviteMember,
  listInvitations,
  listMembers,
  removeMember,
  revokeInvitation,
} from "../../../features/members/members.service.ts";
import { makeResetLink } from "../../../features/members/access/reset-password.ts";
import { page } from "../../../http/fields.ts";
import { ConfirmButton, CopyField } from "../../kit/actions.tsx";
import { labelOptions, toLabel } from "../../kit/format.ts";
import { redirectTo } from "../../kit/results.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { Age, Badge, Banner, Section } from "../../kit/feedback.tsx";
import { Before } from "../../kit/forms/changes.tsx";
import { Options, Form, SelectField, Submit, TextField } from "../../kit/forms/form-fields.tsx";
import { Pager, Table } from "../../kit/tables.tsx";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { Page } from "../../kit/page/page.tsx";

export const memberPages = workspacePages();

const ROLES = [
  { value: "agent", label: "Agent: inbox and contacts" },
  { value: "admin", label: "Admin: everything except members and plan" },
  { value: "owner", label: "Owner: everything except the plan" },
];

const MEMBERS = "/settings/members";
const PER_PAGE = 50;

interface PageState {
  cursor?: string | undefined;
  link?: { label: string; url: string; lasts: string };
}

function RoleForm({ request, member }: { request: WorkspaceRequest; member: MemberRecord }) {
  const id = member.user_id;
  return (
    <Form action={request.path(`${MEMBERS}/${id}/role`)} class="row">
      <Before name="role" now={[member.role]} />
      <label class="unseen" for={`role-${id}`}>
        Role for {member.name}
      </label>
      <select id={`role-${id}`} name="role">
        <Options options={labelOptions(ROLES.map(({ value }) => value))} chosen={member.role} />
      </select>
      <Submit kind="plain">Change</Submit>
    </Form>
  );
}

const Actions = ({ request, member: { user_id: id, name } }: { request: WorkspaceRequest; member: MemberRecord }) => (
  <>
    <ConfirmButton
      id={`reset-${id}`}
      label="Reset link"
      title={`Create a reset link for ${name}?`}
      action={request.path(`${MEMBERS}/${id}/reset-link`)}
      confirm="Create link"
      kind="plain"
    >
      Share the link only with {name}. It lets them set a new password once, within an hour, and signs them out on all
      devices. Earlier links stop working. If {name} belongs to another workspace too, you can't create this link. Ask
      whoever runs this service for it, with the ID {id}.
    </ConfirmButton>{" "}
    <ConfirmButton
      id={`remove-${id}`}
      label="Remove"
      title={`Remove ${name}?`}
      action={request.path(`${MEMBERS}/${id}/remove`)}
      confirm="Remove"
    >
      They lose access to {request.workspace.name} immediately. Their messages and notes stay.
    </ConfirmButton>
  </>
);

async function membersPage(request: WorkspaceRequest, { cursor, link }: PageState = {}) {
  const { ctx, session, path } = request;
  const [rows, invitations] = await Promise.all([listMembers(ctx, PER_PAGE, cursor), listInvitations(ctx, 100)]);
  const { items, nextCursor } = page(rows, PER_PAGE, (row) => [row.user_id]);
  const isSelf = (member: MemberRecord) => member.user_id === session.user.id;
  return (
    <Page title="Members">
      {link !== undefined && (
        <Banner kind="done">
          <CopyField
            id="made-link"
            label={link.label}
            value={link.url}
            help={`Copy this link now: it is shown only once. It can be used once and expires in ${link.lasts}. Earlier links for this person no longer work.`}
          />
        </Banner>
      )}
      <Table
        caption="Workspace members"
        rows={items}
        columns={[
          {
            label: "Name",
            cell: (member) => (
              <>
                {member.name} {isSelf(member) && <Badge>You</Badge>}{" "}
                {member.is_confirmed && <Badge tone="good">Confirmed</Badge>}
              </>
            ),
          },
          { label: "Email", cell: ({ email }) => email },
          { label: "Role", cell: (member) => <RoleForm request={request} member={member} /> },
          { label: "Joined", cell: ({ created_at }) => <Age at={created_at} /> },
        ]}
        buttons={(member) => <Actions request={request} member={member} />}
      />
      <Pager next={nextCursor} />
      <Section
        title="Invite a member"
        help="You get a link to share; no email is sent. A new invitation replaces the previous one for the same email."
      >
        <Form action={path(`${MEMBERS}/invite`)} name="invite" class="narrow">
          <TextField name="email" label="Email" type="email" required />
          <SelectField name="role" label="Role" options={ROLES} value="agent" required />
          <Submit>Create invitation link</Submit>
        </Form>
      </Section>
      {invitations.length > 0 && (
        <Section title="Open invitations">
          <Table
            caption="Pending invitations"
            rows={invitations}
            columns={[
              { label: "Email", cell: ({ email }) => email },
              { label: "Role", cell: ({ role }) => toLabel(role) },
              { label: "Expires", cell: (invitation) => <End invitation={invitation} now={ctx.now()} /> },
            ]}
            buttons={({ id, email }) => (
              <ConfirmButton
                id={`revoke-${id}`}
                label="Revoke"
                title={`Revoke the invitation for ${email}?`}
                action={path(`${MEMBERS}/invitations/${id}/revoke`)}
                confirm="Revoke"
              >
                The link stops working.
              </ConfirmButton>
            )}
          />
        </Section>
      )}
    </Page>
  );
}

const End = ({ invitation: { expires_at }, now }: { invitation: InvitationRecord; now: number }) =>
  expires_at > now ? <Age at={expires_at} /> : <Badge tone="warning">Expired</Badge>;

memberPages.get(MEMBERS, { role: "owner", query: listMembersQuery }, (request, { query }) =>
  membersPage(request, { cursor: query.cursor?.[0] }),
);

// The POST requests below respond with a page that shows a new link. The link cannot be shown again, so a GET
// request to the same address redirects to the list of members.
memberPages.get("/settings/members/invite", { role: "owner" }, ({ path }) => redirectTo(path(MEMBERS)));
memberPages.get(`${MEMBERS}/:id/reset-link`, { role: "owner" }, ({ path }) => redirectTo(path(MEMBERS)));

memberPages.post(
  "/settings/members/invite",
  { role: "owner", body: inviteBody, onInvalid: (request) => membersPage(request) },
  async (request, { body }) => {
    const { email, path } = await inviteMember(request.ctx, body);
    const link = { label: `Invitation link for ${email}`, url: request.url.origin + path, lasts: "7 days" };
    return membersPage(request, { link });
  },
);

memberPages.post(`${MEMBERS}/:id/reset-link`, { role: "owner" }, async (request, { params }) => {
  const { email, path } = await makeResetLink(request.ctx, params.id);
  const link = { label: `Reset link for ${email}`, url: request.url.origin + path, lasts: "an hour" };
  return membersPage(request, { link });
});

memberPages.post(
  "/settings/members/:id/role",
  { role: "owner", body: changeMemberBody.partial(), isPartial: true },
  async ({ ctx, path }, { params, body, original }) => {
    if (body.role === undefined) return redirectTo(path(MEMBERS));
    const { name, role } = await changeRole(ctx, params.id, body.role, original?.role);
    return redirectTo(path(MEMBERS), `${name} is now ${role}.`);
  },
);

memberPages.post("/settings/members/:id/remove", { role: "owner" }, async ({ ctx, path }, { params }) => {
  const { name } = await removeMember(ctx, params.id);
  return redirectTo(path(MEMBERS), `${name} removed.`);
});

memberPages.post("/settings/members/invitations/:id/revoke", { role: "owner" }, async ({ ctx, path }, { params }) => {
  const { email } = await revokeInvitation(ctx, params.id);
  return redirectTo(path(MEMBERS), `Invitation for ${email} revoked.`);
});
