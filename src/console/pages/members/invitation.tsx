import {
  joinAsNew,
  joinWithPassword,
  joinWorkspace,
  type OpenInvitation,
  readInvitation,
} from "../../../features/members/access/accept-invitation.ts";
import { setSessionCookies } from "../../../features/members/members.middleware.ts";
import { linkAndPassword, newcomer, sentLink } from "../../../features/members/members.schemas.ts";
import { limitAttempts } from "../../../features/members/access/sign-in.ts";
import { PostButton } from "../../kit/actions.tsx";
import { redirectTo } from "../../kit/results.ts";
import { publicPages } from "../../kit/audiences.ts";
import { Section } from "../../kit/feedback.tsx";
import { Form, Submit, TextField } from "../../kit/forms/form-fields.tsx";
import type { PageRequest } from "../../kit/request.ts";
import { Page } from "../../kit/page/page.tsx";
import { CurrentPasswordField, NewPasswordField, LinkPage, SecretField, readSecret } from "../account/sign-in.tsx";

export const invitationPages = publicPages();

const AT = "/console/invitations";

const describeJoined = ({ workspaceName }: OpenInvitation) => `You joined ${workspaceName}.`;
const workspaceHome = ({ workspaceId }: OpenInvitation) => `/console/${workspaceId}`;

interface AcceptanceProps {
  request: PageRequest;
  secret: string;
  invitation: OpenInvitation;
}

/** Always shows both forms. If the forms depended on the email, somebody could find out whether it has an account. */
const Choices = ({ secret, invitation: { email } }: Omit<AcceptanceProps, "request">) => (
  <>
    <Section title="Set a password" help="If you don't have a Tidings account yet.">
      <Form action={`${AT}/sign-up`} name="sign-up">
        <SecretField secret={secret} />
        <TextField name="name" label="Your name" autocomplete="name" required maxlength={200} />
        <NewPasswordField name="password" />
        <Submit>Join</Submit>
      </Form>
    </Section>
    <Section title="Sign in" help={`If you already use Tidings as ${email}. All your workspaces stay in one account.`}>
      <Form action={`${AT}/sign-in`} name="sign-in">
        <SecretField secret={secret} />
        <CurrentPasswordField name="password" label="Your password" />
        <Submit>Sign in and join</Submit>
      </Form>
    </Section>
  </>
);

function Acceptance(props: AcceptanceProps) {
  const { request, secret, invitation } = props;
  if (request.session === null) return <Choices {...props} />;
  if (request.session.user.email !== invitation.email) {
    return (
      <>
        <p>You are signed in as {request.session.user.email}. Sign out, then open this link again.</p>
        <PostButton action="/console/sign-out" leaves>
          Sign out
        </PostButton>
      </>
    );
  }
  return (
    <Form action={`${AT}/join`}>
      <SecretField secret={secret} />
      <Submit>Join</Submit>
    </Form>
  );
}

async function invitationPage(request: PageRequest, secret: string) {
  await limitAttempts(request.origin);
  const invitation = await readInvitation(request.base, secret);
  const { email, role, workspaceName } = invitation;
  return (
    <Page title={`Join ${workspaceName}`}>
      <p>
        <strong>{email}</strong> has been invited as an {role}.
      </p>
      <Acceptance request={request} secret={secret} invitation={invitation} />
    </Page>
  );
}

const openLink = () => <LinkPage title="Invitation" action={AT} />;

const onInvalid = (request: PageRequest) => invitationPage(request, readSecret(request));

invitationPages.get("/invitations", {}, openLink);

// Links of earlier versions have the secret in their path. This redirects to the current form of the link.
invitationPages.get("/invitations/:secret", {}, (_, { params }) =>
  redirectTo(`${AT}#${encodeURIComponent(params.secret)}`),
);

invitationPages.post("/invitations", { body: sentLink, onInvalid: openLink }, (request, { body }) =>
  invitationPage(request, body.secret),
);

invitationPages.post("/invitations/sign-up", { body: newcomer, onInvalid }, async (request, { body, c }) => {
  const { invitation, signedIn } = await joinAsNew(request.base, body.secret, body, request.origin);
  await setSessionCookies(c, signedIn);
  return redirectTo(workspaceHome(invitation), describeJoined(invitation));
});

invitationPages.post("/invitations/sign-in", { body: linkAndPassword, onInvalid }, async (request, { body, c }) => {
  const { invitation, signedIn } = await joinWithPassword(request.base, body.secret, body.password, request.origin);
  await setSessionCookies(c, signedIn);
  return redirectTo(workspaceHome(invitation), describeJoined(invitation));
});

invitationPages.post("/invitations/join", { body: sentLink, onInvalid }, async (request, { body }) => {
  if (request.session === null) return invitationPage(request, body.secret);
  const invitation = await joinWorkspace(request.base, body.secret, request.session);
  return redirectTo(workspaceHome(invitation), describeJoined(invitation));
});
