import { type Page, showPage } from "../../kit/results.ts";
import { Form, Submit, TextField } from "../../kit/form-fields.tsx";
import type { FormState } from "../../kit/forms.ts";

/**
 * The page that a link with its secret in the fragment leads to. A script sends the secret at once; where none runs, the
 * person pastes the link.
 */
export const linkPage = (title: string, action: string, form: FormState): Page =>
  showPage({
    title,
    scripts: ["link.client.js"],
    body: (
      <Form id="link" action={action} state={form} class="narrow" leaves>
        <TextField name="secret" label="Link" help="Paste the whole link that you were given." required state={form} />
        <Submit>Continue</Submit>
      </Form>
    ),
  });

/** Passes the secret of the link on to the next form. */
export const SecretField = ({ secret }: { secret: string }) => <input type="hidden" name="secret" value={secret} />;

/** The secret of a form that was refused. */
export const readSecret = ({ values }: FormState): string => values.get("secret")?.[0] ?? "";
