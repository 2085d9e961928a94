import { deleteSessionCookie, setSessionCookies } from "../../../features/members/members.middleware.ts";
import { credentials } from "../../../features/members/members.schemas.ts";
import { signIn, signOut, signOutEverywhere } from "../../../features/members/access/sign-in.ts";
import { redirectTo } from "../../kit/results.ts";
import { consolePathOf } from "../../kit/pages.ts";
import { publicPages } from "../../kit/audiences.ts";
import { Banner } from "../../kit/feedback.tsx";
import { Form, Submit, TextField } from "../../kit/forms/form-fields.tsx";
import type { PageRequest } from "../../kit/request.ts";
import { Page } from "../../kit/page/page.tsx";
import { CurrentPasswordField } from "./password-fields.tsx";

export const signInPages = publicPages();

const destinationOf = ({ url }: PageRequest): string => consolePathOf(url.searchParams.get("next") ?? "", url);

function signInPage(request: PageRequest) {
  return (
    <Page title="Sign in">
      {request.url.searchParams.get("unsent") === "form" && (
        <Banner kind="warning">
          Your session had ended, so the form was not sent. Sign in and send it again: your browser may still have what
          you typed when you go back.
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
      <p class="help">No account yet? An owner of your workspace can invite you.</p>
    </Page>
  );
}

/** Emails are not sent, and are no proof of who somebody is: a workspace's owners know their members. */
signInPages.get("/forgot-password", {}, () => (
  <Page title="Forgot your password?">
    <ol>
      <li>Ask an owner of your workspace for a link to set a new one.</li>
      <li>They open Settings, then Members, and choose “Reset link” beside your name. It works once, for an hour.</li>
      <li>Open the link and type a new password. That signs you out everywhere else.</li>
    </ol>
    <p>If you are the only owner, the people who run this service can make the link.</p>
    <p>
      <a href="/console/reset">I have a link</a> · <a href="/console/sign-in">Back to signing in</a>
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
  return redirectTo("/console/sign-in", "You have signed out.");
});

signInPages.post("/sign-out-everywhere", {}, async (request, { c }) => {
  if (request.session !== null) await signOutEverywhere(request.base, request.session);
  deleteSessionCookie(c);
  return redirectTo("/console/sign-in", "You have signed out on every device.");
});
