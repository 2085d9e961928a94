import { nameChange } from "../../../features/members/members.schemas.ts";
import { renameUser } from "../../../features/members/members.service.ts";
import { userPages } from "../../kit/audiences.ts";
import { Form, Submit, TextField } from "../../kit/form-fields.tsx";
import { type FormState, unsentForm } from "../../kit/forms.ts";
import type { UserRequest } from "../../kit/request.ts";
import { redirectTo, showPage } from "../../kit/results.ts";

export const namePages = userPages();

const namePage = ({ session }: UserRequest, form: FormState) =>
  showPage({
    title: "Your name",
    body: (
      <Form action="/console/name" state={form}>
        <TextField
          name="name"
          label="Name"
          help="Colleagues see it beside what you write and what is assigned to you."
          autocomplete="name"
          maxlength={200}
          required
          state={form}
          value={session.user.name}
        />
        <Submit>Save</Submit>
      </Form>
    ),
  });

namePages.get("/name", {}, (request) => namePage(request, unsentForm));

namePages.post(
  "/name",
  { body: nameChange, onInvalid: async (request, _, form) => namePage(request, form) },
  async ({ base, session }, { body }) => {
    await renameUser(base, session, body.name);
    return redirectTo("/console/name", "Your name has been changed.");
  },
);
