import {
  joinAsNew,
  joinWithPassword,
  joinWorkspace,
  type OpenInvitation,
  readInvitation,
} from "../../features/members/accept-invitation.ts";
import { keepSession } from "../../features/members/members.middleware.ts";
import { MIN_PASSWORD, newcomer, passwordConfirmation } from "../../features/members/members.schemas.ts";
import { go, show } from "../kit/answers.ts";
import { openPages } from "../kit/audiences.ts";
import { PostButton } from "../kit/actions.tsx";
import { Form, Submit, TextField } from "../kit/form-fields.tsx";
import { type FormState, untouched } from "../kit/forms.ts";
import type { Visit } from "../kit/visit.ts";

export const invitationPages = openPages();

const welcome = ({ workspaceName }: OpenInvitation) => `You have joined ${workspaceName}.`;
const homeOf = ({ workspaceId }: OpenInvitation) => `/console/${workspaceId}`;

/** What somebody does to accept: sign up, type their password, press a button, or sign out first. */
function Acceptance({
  visit,
  at,
  invitation,
  form,
}: {
  visit: Visit;
  at: string;
  invitation: OpenInvitation;
  form: FormState;
}) {
  const { email, isKnown } = invitation;
  if (visit.session !== null && visit.session.user.email !== email) {
    return (
      <>
        <p>You are signed in as {visit.session.user.email}. Sign out, then open this link again.</p>
        <PostButton action="/console/sign-out">Sign out</PostButton>
      </>
    );
  }
  if (visit.session !== null) {
    return (
      <Form action={`${at}/join`} state={form}>
        <Submit>Join</Submit>
      </Form>
    );
  }
  if (isKnown) {
    return (
      <Form action={`${at}/sign-in`} state={form}>
        <TextField
          name="password"
          label="Your password"
          help={`The one you sign in with as ${email}.`}
          type="password"
          autocomplete="current-password"
          required
          state={form}
        />
        <Submit>Sign in and join</Submit>
      </Form>
    );
  }
  return (
    <Form action={at} state={form}>
      <TextField name="name" label="Your name" autocomplete="name" required maxlength={200} state={form} />
      <TextField
        name="password"
        label="Password"
        help={`At least ${MIN_PASSWORD} characters. A few words are easier to remember than signs.`}
        type="password"
        autocomplete="new-password"
        required
        state={form}
      />
      <Submit>Join</Submit>
    </Form>
  );
}

async function invitationPage(visit: Visit, secret: string, form: FormState) {
  const invitation = await readInvitation(visit.base, secret);
  const { email, role, workspaceName } = invitation;
  return show({
    title: `Join ${workspaceName}`,
    body: (
      <>
        <p>
          <strong>{email}</strong> has been invited as an {role}.
        </p>
        <Acceptance visit={visit} at={`/console/invitations/${secret}`} invitation={invitation} form={form} />
      </>
    ),
  });
}

const again = (visit: Visit, { secret }: { secret: string }, form: FormState) => invitationPage(visit, secret, form);

invitationPages.get("/invitations/:secret", {}, (visit, { params }) => invitationPage(visit, params.secret, untouched));

invitationPages.post("/invitations/:secret", { body: newcomer, again }, async (visit, { params, body, c }) => {
  const invitation = await readInvitation(visit.base, params.secret);
  await keepSession(c, await joinAsNew(visit.base, params.secret, body, visit));
  return go(homeOf(invitation), welcome(invitation));
});

invitationPages.post(
  "/invitations/:secret/sign-in",
  { body: passwordConfirmation, again },
  async (visit, { params, body, c }) => {
    const invitation = await readInvitation(visit.base, params.secret);
    await keepSession(c, await joinWithPassword(visit.base, params.secret, body.password, visit));
    return go(homeOf(invitation), welcome(invitation));
  },
);

invitationPages.post("/invitations/:secret/join", { again }, async (visit, { params }) => {
  if (visit.session === null) return go(`/console/invitations/${params.secret}`);
  const invitation = await readInvitation(visit.base, params.secret);
  await joinWorkspace(visit.base, params.secret, visit.session);
  return go(homeOf(invitation), welcome(invitation));
});
