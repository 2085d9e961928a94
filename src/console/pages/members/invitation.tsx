import {
  joinAsNew,
  joinWithPassword,
  joinWorkspace,
  type OpenInvitation,
  readInvitation,
} from "../../../features/members/accept-invitation.ts";
import { keepSession } from "../../../features/members/members.middleware.ts";
import { linkAndPassword, MIN_PASSWORD, newcomer, sentLink } from "../../../features/members/members.schemas.ts";
import { requirePatience } from "../../../features/members/sign-in.ts";
import { PostButton } from "../../kit/actions.tsx";
import { go, show } from "../../kit/answers.ts";
import { openPages } from "../../kit/audiences.ts";
import { Section } from "../../kit/feedback.tsx";
import { Form, Submit, TextField } from "../../kit/form-fields.tsx";
import { type FormState, stateOf, untouched } from "../../kit/forms.ts";
import type { Visit } from "../../kit/visit.ts";
import { linkPage, SecretField, secretSent } from "./link-form.tsx";

export const invitationPages = openPages();

const AT = "/console/invitations";

const welcome = ({ workspaceName }: OpenInvitation) => `You have joined ${workspaceName}.`;
const homeOf = ({ workspaceId }: OpenInvitation) => `/console/${workspaceId}`;

interface Shown {
  visit: Visit;
  secret: string;
  invitation: OpenInvitation;
  form: FormState;
}

/** The same for every email: whether it has a password is for its person to know. */
const Choices = ({ secret, invitation: { email }, form }: Omit<Shown, "visit">) => (
  <>
    <Section title="Set a password" help="If you have none for Tidings yet.">
      <Form action={`${AT}/sign-up`} state={stateOf(form, "sign-up")}>
        <SecretField secret={secret} />
        <TextField
          name="name"
          label="Your name"
          autocomplete="name"
          required
          maxlength={200}
          state={stateOf(form, "sign-up")}
        />
        <TextField
          name="password"
          label="New password"
          help={`At least ${MIN_PASSWORD} characters. A few words are easier to remember than signs.`}
          type="password"
          autocomplete="new-password"
          required
          state={stateOf(form, "sign-up")}
        />
        <Submit>Join</Submit>
      </Form>
    </Section>
    <Section title="Sign in" help={`If you have signed in as ${email} before, to have all your workspaces together.`}>
      <Form action={`${AT}/sign-in`} state={stateOf(form, "sign-in")}>
        <SecretField secret={secret} />
        <TextField
          name="password"
          label="Your password"
          type="password"
          autocomplete="current-password"
          required
          state={stateOf(form, "sign-in")}
        />
        <Submit>Sign in and join</Submit>
      </Form>
    </Section>
  </>
);

/** How somebody accepts: they sign up or in, press a button, or sign out first. */
function Acceptance(shown: Shown) {
  const { visit, secret, invitation, form } = shown;
  if (visit.session === null) return <Choices {...shown} />;
  if (visit.session.user.email !== invitation.email) {
    return (
      <>
        <p>You are signed in as {visit.session.user.email}. Sign out, then open this link again.</p>
        <PostButton action="/console/sign-out">Sign out</PostButton>
      </>
    );
  }
  return (
    <Form action={`${AT}/join`} state={form}>
      <SecretField secret={secret} />
      <Submit>Join</Submit>
    </Form>
  );
}

async function invitationPage(visit: Visit, secret: string, form: FormState) {
  await requirePatience(visit.origin);
  const invitation = await readInvitation(visit.base, secret);
  const { email, role, workspaceName } = invitation;
  return show({
    title: `Join ${workspaceName}`,
    body: (
      <>
        <p>
          <strong>{email}</strong> has been invited as an {role}.
        </p>
        <Acceptance visit={visit} secret={secret} invitation={invitation} form={form} />
      </>
    ),
  });
}

const openLink = (form: FormState) => linkPage("Invitation", AT, form);

/** Shows the forms again, or why there are none any more. */
const again = (visit: Visit, _: unknown, form: FormState) => invitationPage(visit, secretSent(form), form);

invitationPages.get("/invitations", {}, () => openLink(untouched));

// Links given out by an earlier version have their secret in the path.
invitationPages.get("/invitations/:secret", {}, (_, { params }) => go(`${AT}#${encodeURIComponent(params.secret)}`));

invitationPages.post(
  "/invitations",
  { body: sentLink, again: async (_, __, form) => openLink(form) },
  (visit, { body }) => invitationPage(visit, body.secret, untouched),
);

invitationPages.post("/invitations/sign-up", { body: newcomer, form: "sign-up", again }, async (visit, { body, c }) => {
  const { invitation, signedIn } = await joinAsNew(visit.base, body.secret, body, visit.origin);
  await keepSession(c, signedIn);
  return go(homeOf(invitation), welcome(invitation));
});

invitationPages.post(
  "/invitations/sign-in",
  { body: linkAndPassword, form: "sign-in", again },
  async (visit, { body, c }) => {
    const { invitation, signedIn } = await joinWithPassword(visit.base, body.secret, body.password, visit.origin);
    await keepSession(c, signedIn);
    return go(homeOf(invitation), welcome(invitation));
  },
);

invitationPages.post("/invitations/join", { body: sentLink, again }, async (visit, { body }) => {
  if (visit.session === null) return invitationPage(visit, body.secret, untouched);
  const invitation = await joinWorkspace(visit.base, body.secret, visit.session);
  return go(homeOf(invitation), welcome(invitation));
});
