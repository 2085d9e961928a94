import type { FC } from "hono/jsx";
import { MIN_PASSWORD } from "../../../features/members/members.schemas.ts";
import { TextField } from "../../kit/form-fields.tsx";
import type { FormState } from "../../kit/forms.ts";

export const NewPasswordField: FC<{ name: string; state: FormState }> = ({ name, state }) => (
  <TextField
    name={name}
    label="New password"
    help={`At least ${MIN_PASSWORD} characters. A few words are easier to remember than symbols.`}
    type="password"
    autocomplete="new-password"
    required
    state={state}
  />
);

/** A new password, entered twice. */
export const NewPasswordFields: FC<{ state: FormState }> = ({ state }) => (
  <>
    <NewPasswordField name="new_password" state={state} />
    <TextField
      name="repeated"
      label="New password again"
      type="password"
      autocomplete="new-password"
      required
      state={state}
    />
  </>
);
