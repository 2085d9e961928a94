import type { FC } from "hono/jsx";
import { MIN_PASSWORD, credentials, passwordReset, sentLink } from "../../../features/members/members.schemas.ts";
import { TextField, Form, Submit } from "../../kit/forms/form-fields.tsx";
import { Page } from "../../kit/page/page.tsx";
import type { PageRequest } from "../../kit/request.ts";
import { deleteSessionCookie, setSessionCookies } from "../../../features/members/members.middleware.ts";
import { signIn, signOut, signOutEverywhere, limitAttempts } from "../../../features/members/access/sign-in.ts";
import { redirectTo } from "../../kit/results.ts";
import { consolePathOf } from "../../kit/pages.ts";
import { publicPages } from "../../kit/audiences.ts";
import { Banner } from "../../kit/feedback.tsx";
import { readResetLink, resetPassword } from "../../../features/members/access/reset-password.ts";

export const CurrentPasswordField: FC<{ name: string; label: string }> = (field) => (
  <TextField {...field} type="password" autocomplete="current-password" required />
);

export const NewPasswordField: FC<{ name: string }> = ({ name }) => (
  <TextField
    name={name}
    label="New password"
    help={`At least ${MIN_PASSWORD} characters. A few words are easier to remember than symbols.`}
    type="password"
    autocomplete="new-password"
    required
  />
);

export const NewPasswordFields: FC = () => (
  <>
    <NewPasswordField name="new_password" />
    <TextField name="repeated" label="Confirm new password" type="password" autocomplete="new-password" required />
  </>
);

/**
 * The secret of a link is after its `#`, which browsers do not send, so a script submits it. Without scripts,
 * the user pastes the link into the form.
 */
export const LinkPage = ({ title, action }: { title: string; action: string }) => (
  <Page title={title} scripts={["link.client.js"]}>
    <Form id="link" action={action} class="narrow" leaves>
      <TextField name="secret" label="Link" help="Paste the full link you received." required />
      <Submit>Continue</Submit>
    </Form>
  </Page>
);

export const SecretField = ({ secret }: { secret: string }) => <input type="hidden" name="secret" value={secret} />;

export const readSecret = ({ refused }: PageRequest): string => refused?.values.get("secret")?.[0] ?? "";

export const signInPages = publicPages();

const destinationOf = ({ url }: PageRequest): string => consolePathOf(url.searchParams.get("next") ?? "", url);

function signInPage(request: PageRequest) {
  return (
    <Page title="Sign in">
      {request.url.searchParams.get("unsent") === "form" && (
        <Banner kind="warning">
          Your session ended before the form was sent. Sign in and send it again. Going back in your browser may restore
          what you typed.
        </Banner>
      )}
      <Form action={`/console/sign-in${request.url.search}`} leaves>
        <TextField name="email" label="Email" type="email" autocomplete="username" required />
        <CurrentPasswordField name="password" label="Password" />
        <Submit>Sign in</Submit>
      </Form>
      <p class="help">
        <a href="/console/forgot-password">Forgot your password?</a>
      </p>
      <p class="help">No account yet? Ask a workspace owner to invite you.</p>
    </Page>
  );
}

/**
 * Users get a reset link from an owner, because an owner knows who they are. Tidings sends no emails, and an
 * email address does not prove who somebody is.
 */
signInPages.get("/forgot-password", {}, () => (
  <Page title="Forgot your password?">
    <ol>
      <li>Ask a workspace owner for a reset link.</li>
      <li>
        They open Settings, then Members, and choose “Reset link” next to your name. The link can be used once, within
        an hour.
      </li>
      <li>Open the link and enter a new password. You'll be signed out everywhere else.</li>
    </ol>
    <p>If you're the only owner, ask whoever runs this service for the link.</p>
    <p>
      <a href="/console/reset">I have a link</a> · <a href="/console/sign-in">Back to sign in</a>
    </p>
  </Page>
));

signInPages.get("/sign-in", {}, (request) =>
  request.session === null ? signInPage(request) : redirectTo(destinationOf(request)),
);

signInPages.post("/sign-in", { body: credentials, onInvalid: signInPage }, async (request, { body, c }) => {
  await setSessionCookies(c, await signIn(request.base, body, request.origin));
  return redirectTo(destinationOf(request));
});

signInPages.post("/sign-out", {}, async (request, { c }) => {
  if (request.session !== null) await signOut(request.base, request.session);
  deleteSessionCookie(c);
  return redirectTo("/console/sign-in", "You're signed out.");
});

signInPages.post("/sign-out-everywhere", {}, async (request, { c }) => {
  if (request.session !== null) await signOutEverywhere(request.base, request.session);
  deleteSessionCookie(c);
  return redirectTo("/console/sign-in", "You're signed out on all devices.");
});

const AT = "/console/reset";

async function resetPage(request: PageRequest, secret: string) {
  await limitAttempts(request.origin);
  const { email } = await readResetLink(request.base, secret);
  return (
    <Page title="Set a new password">
      <p>
        For <strong>{email}</strong>. You'll be signed out everywhere else.
      </p>
      <Form action={`${AT}/password`}>
        <SecretField secret={secret} />
        <NewPasswordFields />
        <Submit>Set password</Submit>
      </Form>
    </Page>
  );
}

const openLink = () => <LinkPage title="Set a new password" action={AT} />;

signInPages.get("/reset", {}, openLink);

signInPages.post("/reset", { body: sentLink, onInvalid: openLink }, (request, { body }) =>
  resetPage(request, body.secret),
);

signInPages.post(
  "/reset/password",
  { body: passwordReset, onInvalid: (request) => resetPage(request, readSecret(request)) },
  async (request, { body, c }) => {
    await setSessionCookies(c, await resetPassword(request.base, body.secret, body.new_password, request.origin));
    return redirectTo("/console", "Password changed.");
  },
);
