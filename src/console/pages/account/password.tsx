import { setSessionCookies } from "../../../features/members/members.middleware.ts";
import { passwordChange } from "../../../features/members/members.schemas.ts";
import { changePassword } from "../../../features/members/sign-in.ts";
import { redirectTo } from "../../kit/results.ts";
import { userPages } from "../../kit/audiences.ts";
import { Form, Submit, TextField } from "../../kit/form-fields.tsx";
import { Page } from "../../kit/page.tsx";
import { NewPasswordFields } from "./new-password.tsx";

export const passwordPages = userPages();

const passwordPage = () => (
  <Page title="Change password">
    <Form action="/console/password">
      <TextField
        name="current_password"
        label="Current password"
        type="password"
        autocomplete="current-password"
        required
      />
      <NewPasswordFields />
      <p class="help">This signs you out everywhere else.</p>
      <Submit>Change password</Submit>
    </Form>
  </Page>
);

passwordPages.get("/password", {}, passwordPage);

passwordPages.post("/password", { body: passwordChange, onInvalid: passwordPage }, async (request, { body, c }) => {
  const change = { current: body.current_password, next: body.new_password };
  await setSessionCookies(c, await changePassword(request.base, request.session, change, request.origin));
  return redirectTo("/console", "Your password has been changed.");
});
