import type { FC } from "hono/jsx";
import { MIN_PASSWORD } from "../../../features/members/members.schemas.ts";
import { TextField } from "../../kit/forms/form-fields.tsx";

export const CurrentPasswordField: FC<{ name: string; label: string }> = (field) => (
  <TextField {...field} type="password" autocomplete="current-password" required />
);

export const NewPasswordField: FC<{ name: string }> = ({ name }) => (
  <TextField
    name={name}
    label="New password"
    help={`At least ${MIN_PASSWORD} characters. A few words are easier to remember than symbols.`}
    type="password"
    autocomplete="new-password"
    required
  />
);

export const NewPasswordFields: FC = () => (
  <>
    <NewPasswordField name="new_password" />
    <TextField name="repeated" label="Confirm new password" type="password" autocomplete="new-password" required />
  </>
);
