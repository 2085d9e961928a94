import {
  changeOf,
  presentConnection,
  updateConnectionBody,
} from "../../../features/connections/connections.schemas.ts";
import {
  type Connection,
  requireConnection,
  testConnection,
  updateConnection,
} from "../../../features/connections/connections.service.ts";
import { simulateBody } from "../../../features/sandbox/sandbox.schemas.ts";
import { listOutbox, simulateInbound } from "../../../features/sandbox/sandbox.service.ts";
import { syncTemplates } from "../../../features/templates/sync-templates.ts";
import { retireConnection } from "../../../features/workspaces/workspaces.service.ts";
import { AppError } from "../../../shared/errors.ts";
import { ConfirmButton, CopyField, PostButton } from "../../kit/actions.tsx";
import { go, refuse, show } from "../../kit/answers.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { Badge, Facts, Section, Time } from "../../kit/feedback.tsx";
import { CheckField, Form, Submit, TextField } from "../../kit/form-fields.tsx";
import { type FormState, type SentForm, stateOf, untouched } from "../../kit/forms.ts";
import type { WorkspaceVisit } from "../../kit/visit.ts";
import { ConfigFields, CONNECTIONS, providerNames, Status } from "./connections-guide.tsx";
import { labelOf } from "../contacts/contact-parts.tsx";
import { SandboxParts } from "./connections-sandbox.tsx";

export const connectionDetailPages = workspacePages();

const OUTBOX_SHOWN = 10;

const factsOf = ({ provider, channel, status, statusDetail, isDefault, createdAt }: Connection) =>
  [
    [
      "Status",
      <>
        <Status status={status} /> {statusDetail}
      </>,
    ],
    ["Provider", providerNames[provider]],
    [
      "Channel",
      <>
        {labelOf(channel)} {isDefault && <Badge>Default</Badge>}
      </>,
    ],
    ["Since", <Time at={createdAt} />],
  ] as const;

function EditForm({ visit, connection, state }: { visit: WorkspaceVisit; connection: Connection; state: FormState }) {
  const { id, name, provider, messagesPerSecond, isDefault } = connection;
  return (
    <Form action={visit.path(`${CONNECTIONS}/${id}`)} state={state} class="narrow">
      <TextField name="name" label="Name" value={name} required state={state} />
      <ConfigFields provider={provider} stored={presentConnection(connection, "").config} state={state} />
      <TextField
        name="messages_per_second"
        label="Messages per second"
        help="At most; the rest waits its turn."
        value={String(messagesPerSecond)}
        inputmode="numeric"
        required
        state={state}
      />
      <CheckField
        name="is_default"
        label={`Default of ${connection.channel} connections`}
        help="The one that had been the default no longer is."
        checked={isDefault}
        state={state}
      />
      <Submit>Save</Submit>
    </Form>
  );
}

async function connectionPage(visit: WorkspaceVisit, id: string, form: FormState = untouched) {
  const { ctx, path, url } = visit;
  const connection = await requireConnection(ctx, id);
  const { name, provider, channel } = connection;
  const isSandbox = provider === "sandbox";
  const outbox = isSandbox
    ? await listOutbox(ctx, { connectionId: id, address: undefined, limit: OUTBOX_SHOWN, before: undefined })
    : [];
  const at = path(`${CONNECTIONS}/${id}`);
  return show({
    title: name,
    actions: (
      <>
        <PostButton action={`${at}/test`}>Test</PostButton>
        {channel === "official" && <PostButton action={`${at}/sync-templates`}>Sync templates</PostButton>}
      </>
    ),
    body: (
      <>
        <Facts facts={factsOf(connection)} />
        {isSandbox ? (
          <SandboxParts
            action={`${at}/simulate`}
            state={stateOf(form, "simulate")}
            outbox={outbox.slice(0, OUTBOX_SHOWN)}
          />
        ) : (
          <div class="narrow">
            <CopyField
              id="webhook-url"
              label="Webhook URL"
              value={presentConnection(connection, url.origin).webhook_url}
              help="Where the provider reports messages and receipts."
            />
          </div>
        )}
        <Section title="Settings" id="settings">
          <EditForm visit={visit} connection={connection} state={stateOf(form, "edit")} />
        </Section>
        <Section
          title="Delete"
          help="API keys of this connection must be revoked first. Conversations stay readable; templates of its provider are no longer listed."
        >
          <ConfirmButton
            id="delete"
            label="Delete connection"
            title={`Delete ${name}?`}
            action={`${at}/delete`}
            confirm="Delete for good"
          >
            Nothing is sent or received through it any more, and its settings are gone.
          </ConfirmButton>
        </Section>
      </>
    ),
  });
}

/** An empty setting is left out, which keeps what is stored. */
const readChange = (form: SentForm) => ({
  config: {},
  ...form.body(),
  name: form.text("name") ?? "",
  messages_per_second: form.number("messages_per_second") ?? "",
  is_default: form.checked("is_default"),
});

/** Without the settings that are as they were: others give a connection that is down another chance. */
function onlyNews({ config }: Connection, sent: Record<string, unknown> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(sent).filter(([name, value]) => config[name] !== value));
}

connectionDetailPages.get("/settings/connections/:id", {}, (visit, { params }) => connectionPage(visit, params.id));

connectionDetailPages.post(
  "/settings/connections/:id",
  {
    body: updateConnectionBody,
    form: "edit",
    read: readChange,
    again: (visit, { id }, form) => connectionPage(visit, id, form),
  },
  async ({ ctx, path }, { params: { id }, body }) => {
    const config = onlyNews(await requireConnection(ctx, id), body.config);
    const { name } = await updateConnection(ctx, id, changeOf({ ...body, config }));
    return go(path(`${CONNECTIONS}/${id}`), `${name} has been saved.`);
  },
);

connectionDetailPages.post("/settings/connections/:id/test", {}, async ({ ctx, path }, { params: { id } }) => {
  const at = path(`${CONNECTIONS}/${id}`);
  try {
    return go(at, await testConnection(ctx, id));
  } catch (error) {
    if (error instanceof AppError && error.code === "provider_error") return refuse(at, error.message);
    throw error;
  }
});

connectionDetailPages.post(
  "/settings/connections/:id/sync-templates",
  {},
  async ({ ctx, path }, { params: { id } }) => {
    const { created, updated, removed } = await syncTemplates(ctx, id);
    return go(
      path(`${CONNECTIONS}/${id}`),
      `Templates are synced: ${created} new, ${updated} changed, ${removed} gone.`,
    );
  },
);

connectionDetailPages.post("/settings/connections/:id/delete", {}, async ({ ctx, path }, { params: { id } }) => {
  const { name } = await retireConnection(ctx, id);
  return go(path(CONNECTIONS), `${name} has been deleted.`);
});

connectionDetailPages.post(
  "/settings/connections/:id/simulate",
  { body: simulateBody, form: "simulate", again: (visit, { id }, form) => connectionPage(visit, id, form) },
  async ({ ctx, path }, { params: { id }, body }) => {
    await simulateInbound(ctx, id, { ...body, name: body.name ?? null });
    return go(path(`${CONNECTIONS}/${id}`), `A message from ${body.from} is on its way to the inbox.`);
  },
);
