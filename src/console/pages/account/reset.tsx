import { setSessionCookies } from "../../../features/members/members.middleware.ts";
import { passwordReset, sentLink } from "../../../features/members/members.schemas.ts";
import { readResetLink, resetPassword } from "../../../features/members/access/reset-password.ts";
import { limitAttempts } from "../../../features/members/access/sign-in.ts";
import { redirectTo, showPage } from "../../kit/results.ts";
import { publicPages } from "../../kit/audiences.ts";
import { Form, Submit } from "../../kit/form-fields.tsx";
import { NewPasswordFields } from "./new-password.tsx";
import { type FormState, unsentForm } from "../../kit/forms.ts";
import type { PageRequest } from "../../kit/request.ts";
import { linkPage, SecretField, readSecret } from "../members/link-form.tsx";

export const resetPages = publicPages();

const AT = "/console/reset";

async function resetPage(request: PageRequest, secret: string, form: FormState) {
  await limitAttempts(request.origin);
  const { email } = await readResetLink(request.base, secret);
  return showPage({
    title: "Set a new password",
    body: (
      <>
        <p>
          For <strong>{email}</strong>. This signs you out everywhere else.
        </p>
        <Form action={`${AT}/password`} state={form}>
          <SecretField secret={secret} />
          <NewPasswordFields state={form} />
          <Submit>Set the password</Submit>
        </Form>
      </>
    ),
  });
}

const openLink = (form: FormState) => linkPage("Set a new password", AT, form);

resetPages.get("/reset", {}, () => openLink(unsentForm));

resetPages.post("/reset", { body: sentLink, onInvalid: async (_, __, form) => openLink(form) }, (request, { body }) =>
  resetPage(request, body.secret, unsentForm),
);

resetPages.post(
  "/reset/password",
  { body: passwordReset, onInvalid: (request, _, form) => resetPage(request, readSecret(form), form) },
  async (request, { body, c }) => {
    await setSessionCookies(c, await resetPassword(request.base, body.secret, body.new_password, request.origin));
    return redirectTo("/console", "Your password has been changed.");
  },
);
