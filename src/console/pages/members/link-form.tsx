import { Form, Submit, TextField } from "../../kit/forms/form-fields.tsx";
import { Page } from "../../kit/page/page.tsx";
import type { PageRequest } from "../../kit/request.ts";

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

/** Passes the secret to the next form. */
export const SecretField = ({ secret }: { secret: string }) => <input type="hidden" name="secret" value={secret} />;

/** The secret of a rejected form. */
export const readSecret = ({ refused }: PageRequest): string => refused?.values.get("secret")?.[0] ?? "";
