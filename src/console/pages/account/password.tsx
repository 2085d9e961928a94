import { setSessionCookies } from "../../../features/members/members.middleware.ts";
import { passwordChange } from "../../../features/members/members.schemas.ts";
import { changePassword } from "../../../features/members/access/sign-in.ts";
import { redirectTo, showPage } from "../../kit/results.ts";
import { userPages } from "../../kit/audiences.ts";
import { Form, Submit, TextField } from "../../kit/form-fields.tsx";
import { NewPasswordFields } from "./new-password.tsx";
import { type FormState, unsentForm } from "../../kit/forms.ts";

export const passwordPages = userPages();

const passwordPage = (form: FormState) =>
  showPage({
    title: "Change password",
    body: (
      <Form action="/console/password" state={form}>
        <TextField
          name="current_password"
          label="Current password"
          type="password"
          autocomplete="current-password"
          required
          state={form}
        />
        <NewPasswordFields state={form} />
        <p class="help">This signs you out everywhere else.</p>
        <Submit>Change password</Submit>
      </Form>
    ),
  });

passwordPages.get("/password", {}, () => passwordPage(unsentForm));

passwordPages.post(
  "/password",
  { body: passwordChange, onInvalid: async (_request, _params, form) => passwordPage(form) },
  async (request, { body, c }) => {
    const change = { current: body.current_password, next: body.new_password };
    await setSessionCookies(c, await changePassword(request.base, request.session, change, request.origin));
    return redirectTo("/console", "Your password has been changed.");
  },
);
