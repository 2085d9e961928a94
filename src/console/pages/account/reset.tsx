import { keepSession } from "../../../features/members/members.middleware.ts";
import { MIN_PASSWORD, passwordReset, sentLink } from "../../../features/members/members.schemas.ts";
import { readResetLink, resetPassword } from "../../../features/members/reset-password.ts";
import { requirePatience } from "../../../features/members/sign-in.ts";
import { go, show } from "../../kit/answers.ts";
import { openPages } from "../../kit/audiences.ts";
import { Form, Submit, TextField } from "../../kit/form-fields.tsx";
import { type FormState, untouched } from "../../kit/forms.ts";
import type { Visit } from "../../kit/visit.ts";
import { linkPage, SecretField, secretSent } from "../members/link-form.tsx";

export const resetPages = openPages();

const AT = "/console/reset";

async function resetPage(visit: Visit, secret: string, form: FormState) {
  await requirePatience(visit.origin);
  const { email } = await readResetLink(visit.base, secret);
  return show({
    title: "Set a new password",
    body: (
      <>
        <p>
          For <strong>{email}</strong>. This signs you out everywhere else.
        </p>
        <Form action={`${AT}/password`} state={form}>
          <SecretField secret={secret} />
          <TextField
            name="new_password"
            label="New password"
            help={`At least ${MIN_PASSWORD} characters. A few words are easier to remember than signs.`}
            type="password"
            autocomplete="new-password"
            required
            state={form}
          />
          <TextField
            name="repeated"
            label="New password again"
            type="password"
            autocomplete="new-password"
            required
            state={form}
          />
          <Submit>Set the password</Submit>
        </Form>
      </>
    ),
  });
}

const openLink = (form: FormState) => linkPage("Set a new password", AT, form);

resetPages.get("/reset", {}, () => openLink(untouched));

resetPages.post("/reset", { body: sentLink, again: async (_, __, form) => openLink(form) }, (visit, { body }) =>
  resetPage(visit, body.secret, untouched),
);

resetPages.post(
  "/reset/password",
  { body: passwordReset, again: (visit, _, form) => resetPage(visit, secretSent(form), form) },
  async (visit, { body, c }) => {
    await keepSession(c, await resetPassword(visit.base, body.secret, body.new_password, visit.origin));
    return go("/console", "Your password has been changed.");
  },
);
