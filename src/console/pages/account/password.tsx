import { keepSession } from "../../../features/members/members.middleware.ts";
import { MIN_PASSWORD, passwordChange } from "../../../features/members/members.schemas.ts";
import { changePassword } from "../../../features/members/sign-in.ts";
import { go, show } from "../../kit/answers.ts";
import { userPages } from "../../kit/audiences.ts";
import { Form, Submit, TextField } from "../../kit/form-fields.tsx";
import { type FormState, untouched } from "../../kit/forms.ts";

export const passwordPages = userPages();

const passwordPage = (form: FormState) =>
  show({
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
        <p class="help">This signs you out everywhere else.</p>
        <Submit>Change password</Submit>
      </Form>
    ),
  });

passwordPages.get("/password", {}, () => passwordPage(untouched));

passwordPages.post(
  "/password",
  { body: passwordChange, again: async (_visit, _params, form) => passwordPage(form) },
  async (visit, { body, c }) => {
    const change = { current: body.current_password, next: body.new_password };
    await keepSession(c, await changePassword(visit.base, visit.session, change, visit.origin));
    return go("/console", "Your password has been changed.");
  },
);
