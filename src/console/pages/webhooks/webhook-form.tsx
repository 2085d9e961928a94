import type { FC } from "hono/jsx";
import type { Connection } from "../../../features/connections/connections.schemas.ts";
import { createWebhookBody, type WebhookSettings } from "../../../features/webhooks/webhooks.schemas.ts";
import { ChoiceField, ManyField } from "../../kit/forms/choice-fields.tsx";
import { Form, Submit, TextField } from "../../kit/forms/form-fields.tsx";
import { TypeTree, withoutIncluded } from "./webhook-types.tsx";

/** Initial settings of a new webhook. */
export const newSettings: WebhookSettings = {
  url: "",
  description: null,
  types: ["message.*"],
  campaigns: "include",
  connection_ids: null,
  batch: null,
};

interface FormProps {
  action: string;
  submit: string;
  settings: WebhookSettings;
  connections: readonly Connection[];
  /** The revision when the form was rendered; undefined for a new webhook. */
  revision?: number | null;
}

const ConnectionChoices: FC<Pick<FormProps, "settings" | "connections">> = ({
  settings: { connection_ids },
  connections,
}) => {
  const deleted = (connection_ids ?? []).filter((id) => connections.every((each) => each.id !== id));
  const choices = [...connections, ...deleted.map((id) => ({ id, name: `Deleted connection ${id}` }))];
  return (
    <ManyField
      name="connection_ids"
      label="Only these connections"
      help="Leave empty for all connections. Events without a connection are always sent."
      options={choices.map(({ id, name }) => ({ value: id, label: name }))}
      chosen={connection_ids ?? []}
    />
  );
};

export const WebhookForm: FC<FormProps> = ({ action, submit, settings, connections, revision = null }) => (
  <Form action={action} class="readable" revision={revision}>
    <TextField
      name="url"
      label="Address"
      type="url"
      help="Your endpoint for POST requests, like https://example.com/webhooks."
      value={settings.url}
      maxlength={2000}
      required
    />
    <TextField
      name="description"
      label="Description"
      help="What this webhook is for, like “Orders”."
      value={settings.description}
      maxlength={500}
    />
    <TypeTree types={settings.types} />
    <ChoiceField
      name="campaigns"
      label="Campaign messages"
      value={settings.campaigns}
      options={[
        { value: "include", label: "Include" },
        { value: "exclude", label: "Exclude", help: "A campaign to 10,000 people creates about 30,000 events." },
        { value: "only", label: "Only campaign messages" },
      ]}
    />
    {connections.length > 0 && <ConnectionChoices settings={settings} connections={connections} />}
    <fieldset class="pair">
      <legend>Batches</legend>
      <p class="help">
        Sends several events in one request, as <code>{'{"events": […]}'}</code>, once either limit is reached. Leave
        both empty to send each event in its own request.
      </p>
      <TextField
        name="batch.max_events"
        label="Maximum events"
        inputmode="numeric"
        value={settings.batch === null ? null : String(settings.batch.max_events)}
      />
      <TextField
        name="batch.max_wait_seconds"
        label="Maximum wait in seconds"
        inputmode="numeric"
        value={settings.batch === null ? null : String(settings.batch.max_wait_seconds)}
      />
    </fieldset>
    <Submit>{submit}</Submit>
  </Form>
);

export const webhookForm = createWebhookBody
  .omit({ start_after: true })
  .extend({ types: createWebhookBody.shape.types.transform(withoutIncluded) });
