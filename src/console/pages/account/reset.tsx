import { setSessionCookies } from "../../../features/members/members.middleware.ts";
import { passwordReset, sentLink } from "../../../features/members/members.schemas.ts";
import { readResetLink, resetPassword } from "../../../features/members/access/reset-password.ts";
import { limitAttempts } from "../../../features/members/access/sign-in.ts";
import { redirectTo } from "../../kit/results.ts";
import { publicPages } from "../../kit/audiences.ts";
import { Form, Submit } from "../../kit/forms/form-fields.tsx";
import { NewPasswordFields } from "./password-fields.tsx";
import type { PageRequest } from "../../kit/request.ts";
import { Page } from "../../kit/page/page.tsx";
import { LinkPage, SecretField, readSecret } from "../members/link-form.tsx";

export const resetPages = publicPages();

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

resetPages.get("/reset", {}, openLink);

resetPages.post("/reset", { body: sentLink, onInvalid: openLink }, (request, { body }) =>
  resetPage(request, body.secret),
);

resetPages.post(
  "/reset/password",
  { body: passwordReset, onInvalid: (request) => resetPage(request, readSecret(request)) },
  async (request, { body, c }) => {
    await setSessionCookies(c, await resetPassword(request.base, body.secret, body.new_password, request.origin));
    return redirectTo("/console", "Password changed.");
  },
);
