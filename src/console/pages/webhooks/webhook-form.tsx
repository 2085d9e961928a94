import type { FC } from "hono/jsx";
import type { Connection } from "../../../features/connections/connections.schemas.ts";
import { eventKinds, reservedTypes } from "../../../features/events/events.types.ts";
import { toLabel } from "../../kit/format.ts";
import { ChangeByOthers } from "../../kit/forms/changes.tsx";
import { chosenValues, useFormState } from "../../kit/forms/forms.ts";

import { createWebhookBody, type WebhookSettings } from "../../../features/webhooks/webhooks.schemas.ts";
import { ChoiceField, ManyField } from "../../kit/forms/choice-fields.tsx";
import { Form, Submit, TextField } from "../../kit/forms/form-fields.tsx";
import { createWebhook, requireWebhook, updateWebhook } from "../../../features/webhooks/webhooks.service.ts";
import { workspacePages } from "../../kit/audiences.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { redirectTo } from "../../kit/results.ts";
import { Page } from "../../kit/page/page.tsx";
import { webhookName, WEBHOOKS_PATH } from "./webhooks.tsx";
import { showSecretPage } from "./webhook-sections.tsx";
import { listAllConnections } from "../choices.ts";

const FIELD = "types";

/** Turns `message` into `Messages`, and `canned_reply` into `Canned replies`. */
const groupLabel = (object: string): string =>
  object === "api_key" ? "API keys" : `${toLabel(object)}s`.replace(/ys$/, "ies");

const withoutIncluded = (ticked: string[]): string[] =>
  ticked.includes("*")
    ? ["*"]
    : ticked.filter((each) => each.endsWith(".*") || !ticked.includes(each.replace(/\..*$/, ".*")));

const Box: FC<{ pattern: string; label: string; chosen: ReadonlySet<string> }> = ({ pattern, label, chosen }) => (
  <label class="choice">
    <input type="checkbox" name={FIELD} value={pattern} checked={chosen.has(pattern)} />
    <span>{label}</span>
  </label>
);

/**
 * If "All events" is ticked, CSS hides the boxes that it includes. Reserved types are only listed if they are
 * already ticked, because no event has such a type yet.
 */
const TypeTree: FC<{ types: readonly string[] }> = ({ types }) => {
  const state = useFormState();
  const chosen = new Set(chosenValues(FIELD, state, types));
  const fault = state.faults.find(({ path }) => path === FIELD || path.startsWith(`${FIELD}.`));
  return (
    <fieldset class="field type-tree">
      <legend>Events</legend>
      <input type="hidden" name={FIELD} value="" />
      <p class="help">“All” includes event types added later.</p>
      <Box pattern="*" label="All events" chosen={chosen} />
      <div class="type-groups">
        {Object.entries(eventKinds).map(([object, { types: verbs }]) => (
          <fieldset>
            <legend>{groupLabel(object)}</legend>
            <Box
              pattern={`${object}.*`}
              label={`All events about ${groupLabel(object).replace(/^[A-Z](?=[a-z])/, (c) => c.toLowerCase())}`}
              chosen={chosen}
            />
            <div class="types">
              {Object.keys(verbs)
                .map((verb) => ({ type: `${object}.${verb}`, label: toLabel(verb) }))
                .filter(({ type }) => chosen.has(type) || !reservedTypes.includes(type))
                .map(({ type, label }) => (
                  <Box pattern={type} label={label} chosen={chosen} />
                ))}
            </div>
          </fieldset>
        ))}
      </div>
      <ChangeByOthers name={FIELD} now={types} />
      {fault !== undefined && <p class="fault">{fault.message}</p>}
    </fieldset>
  );
};

const newSettings: WebhookSettings = {
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
      help="Leave empty for all connections. Events that belong to no connection are always sent."
      options={choices.map(({ id, name }) => ({ value: id, label: name }))}
      chosen={connection_ids ?? []}
    />
  );
};

const WebhookForm: FC<FormProps> = ({ action, submit, settings, connections, revision = null }) => (
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

const webhookForm = createWebhookBody
  .omit({ start_after: true })
  .extend({ types: createWebhookBody.shape.types.transform(withoutIncluded) });

export const webhookFormPages = workspacePages();

async function newPage({ ctx, path }: WorkspaceRequest) {
  const connections = await listAllConnections(ctx);
  return (
    <Page title="New webhook">
      <WebhookForm
        action={path(`${WEBHOOKS_PATH}/new`)}
        submit="Create webhook"
        settings={newSettings}
        connections={connections}
      />
    </Page>
  );
}

async function editPage({ ctx, path }: WorkspaceRequest, { id }: { id: string }) {
  const [{ webhook }, connections] = await Promise.all([requireWebhook(ctx, id), listAllConnections(ctx)]);
  return (
    <Page title={`Edit ${webhookName(webhook)}`}>
      <WebhookForm
        action={path(`${WEBHOOKS_PATH}/${id}/edit`)}
        submit="Save"
        settings={webhook}
        revision={webhook.revision}
        connections={connections}
      />
    </Page>
  );
}

webhookFormPages.form(
  `${WEBHOOKS_PATH}/new`,
  { body: webhookForm, page: newPage },
  async ({ ctx, path, url }, { body }) => {
    const { state, secret } = await createWebhook(ctx, body, url.origin);
    const { webhook } = state;
    return showSecretPage({
      title: `Signing secret for ${webhookName(webhook)}`,
      secret,
      back: path(`${WEBHOOKS_PATH}/${webhook.id}`),
    });
  },
);

webhookFormPages.form(
  `${WEBHOOKS_PATH}/:id/edit`,
  { body: webhookForm, page: editPage },
  async ({ ctx, path, url }, { params: { id }, body }) => {
    const { webhook } = await updateWebhook(ctx, id, body, url.origin);
    return redirectTo(path(`${WEBHOOKS_PATH}/${id}`), `${webhookName(webhook)} saved.`);
  },
);
