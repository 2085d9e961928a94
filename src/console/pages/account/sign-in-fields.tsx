import type { FC } from "hono/jsx";
import { MIN_PASSWORD } from "../../../features/members/members.schemas.ts";
import { TextField, Form, Submit } from "../../kit/forms/form-fields.tsx";
import { Page } from "../../kit/page/page.tsx";
import type { PageRequest } from "../../kit/request.ts";

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

/**
 * The page of a link with its secret in the fragment. A script submits the secret; without scripts, the user pastes
 * the link.
 */
export const LinkPage = ({ title, action }: { title: string; action: string }) => (
  <Page title={title} scripts={["link.client.js"]}>
    <Form id="link" action={action} class="narrow" leaves>
      <TextField name="secret" label="Link" help="Paste the full link you received." required />
      <Submit>Continue</Submit>
    </Form>
  </Page>
);

export const SecretField = ({ secret }: { secret: string }) => <input type="hidden" name="secret" value={secret} />;

export const readSecret = ({ refused }: PageRequest): string => refused?.values.get("secret")?.[0] ?? "";
