import { dropSession, keepSession } from "../../../features/members/members.middleware.ts";
import { credentials } from "../../../features/members/members.schemas.ts";
import { signIn, signOut, signOutEverywhere } from "../../../features/members/sign-in.ts";
import { go, show } from "../../kit/answers.ts";
import { openPages } from "../../kit/audiences.ts";
import { Form, Submit, TextField } from "../../kit/form-fields.tsx";
import { type FormState, untouched } from "../../kit/forms.ts";
import type { Visit } from "../../kit/visit.ts";

export const signInPages = openPages();

/** Only a page of the console, as a link could name any. */
function destinationOf({ url }: Visit): string {
  const next = url.searchParams.get("next") ?? "";
  return /^\/console(?:[/?]|$)/.test(next) ? next : "/console";
}

function signInPage(visit: Visit, form: FormState) {
  return show({
    title: "Sign in",
    body: (
      <>
        <Form action={`/console/sign-in${visit.url.search}`} state={form}>
          <TextField name="email" label="Email" type="email" autocomplete="username" required state={form} />
          <TextField
            name="password"
            label="Password"
            type="password"
            autocomplete="current-password"
            required
            state={form}
          />
          <Submit>Sign in</Submit>
        </Form>
        <p class="help">No account yet? An owner of your workspace can invite you.</p>
      </>
    ),
  });
}

signInPages.get("/sign-in", {}, (visit) =>
  visit.session === null ? signInPage(visit, untouched) : go(destinationOf(visit)),
);

signInPages.post(
  "/sign-in",
  { body: credentials, again: async (visit, _, form) => signInPage(visit, form) },
  async (visit, { body, c }) => {
    await keepSession(c, await signIn(visit.base, body, visit.origin));
    return go(destinationOf(visit));
  },
);

signInPages.post("/sign-out", {}, async (visit, { c }) => {
  if (visit.session !== null) await signOut(visit.base, visit.session);
  dropSession(c);
  return go("/console/sign-in", "You have signed out.");
});

signInPages.post("/sign-out-everywhere", {}, async (visit, { c }) => {
  if (visit.session !== null) await signOutEverywhere(visit.base, visit.session);
  dropSession(c);
  return go("/console/sign-in", "You have signed out on every device.");
});
