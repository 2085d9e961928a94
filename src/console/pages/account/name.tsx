import { nameChange } from "../../../features/members/members.schemas.ts";
import { renameUser } from "../../../features/members/rename-user.ts";
import { userPages } from "../../kit/audiences.ts";
import { Form, Submit, TextField } from "../../kit/form-fields.tsx";
import type { UserRequest } from "../../kit/request.ts";
import { redirectTo } from "../../kit/results.ts";
import { Page } from "../../kit/page.tsx";

export const namePages = userPages();

const namePage = ({ session }: UserRequest) => (
  <Page title="Your name">
    <Form action="/console/name">
      <TextField
        name="name"
        label="Name"
        help="Colleagues see it beside what you write and what is assigned to you."
        autocomplete="name"
        maxlength={200}
        required
        value={session.user.name}
      />
      <Submit>Save</Submit>
    </Form>
  </Page>
);

namePages.get("/name", {}, namePage);

namePages.post("/name", { body: nameChange, onInvalid: namePage }, async ({ base, session }, { body }) => {
  await renameUser(base, session, body.name);
  return redirectTo("/console/name", "Your name has been changed.");
});
