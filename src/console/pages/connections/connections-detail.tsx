import {
  connectionChange,
  presentConnection,
  updateConnectionBody,
} from "../../../features/connections/connections.schemas.ts";
import {
  type Connection,
  requireConnection,
  testConnection,
  updateConnection,
} from "../../../features/connections/connections.service.ts";
import { findMediaFiles } from "../../../features/media/open/find-media.ts";
import { listOutbox, simulateInbound } from "../../../features/sandbox/sandbox.service.ts";
import { syncTemplates } from "../../../features/templates/sync-templates.ts";
import { retireConnection } from "../../../features/workspaces/workspaces.service.ts";
import { AppError } from "../../../shared/errors.ts";
import { ConfirmButton, CopyField, PostButton } from "../../kit/actions.tsx";
import { toLabel } from "../../kit/format.ts";
import { redirectTo, redirectWithError, showPage } from "../../kit/results.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { Badge, Facts, Section, LocalTime } from "../../kit/feedback.tsx";
import { CheckField } from "../../kit/choice-fields.tsx";
import { Form, Submit, TextField } from "../../kit/form-fields.tsx";
import { type FormState, type SentForm, formStateFor, unparsedForm, unsentForm } from "../../kit/forms.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { readSettings } from "./connection-settings.ts";
import { ConfigFields, CONNECTIONS_PATH, providerNames, ConnectionStatusBadge } from "./providers.tsx";
import { readSimulated } from "./simulated-message.ts";
import { SandboxParts } from "./connections-sandbox.tsx";

export const connectionDetailPages = workspacePages();

const OUTBOX_SHOWN = 10;

const describeConnection = ({
  provider,
  channel,
  status,
  statusDetail,
  isDefault,
  messagingLimit,
  createdAt,
}: Connection) =>
  [
    [
      "Status",
      <>
        <ConnectionStatusBadge status={status} /> {statusDetail}
      </>,
    ],
    ["Provider", providerNames[provider]],
    [
      "Channel",
      <>
        {toLabel(channel)} {isDefault && <Badge>Default</Badge>}
      </>,
    ],
    ...(messagingLimit === null ? [] : [["Messaging limit", messagingLimit] as const]),
    ["Since", <LocalTime at={createdAt} />],
  ] as const;

function EditForm({
  request,
  connection,
  state,
}: {
  request: WorkspaceRequest;
  connection: Connection;
  state: FormState;
}) {
  const { id, name, provider, messagesPerSecond, isDefault } = connection;
  return (
    <Form action={request.path(`${CONNECTIONS_PATH}/${id}`)} state={state} class="narrow" isPartial>
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

async function connectionPage(request: WorkspaceRequest, id: string, form: FormState = unsentForm) {
  const { ctx, path, url } = request;
  const connection = await requireConnection(ctx, id);
  const { name, provider, channel } = connection;
  const isSandbox = provider === "sandbox";
  const outbox = isSandbox
    ? await listOutbox(ctx, { connectionId: id, address: undefined, limit: OUTBOX_SHOWN, before: undefined })
    : [];
  const files = await findMediaFiles(
    ctx,
    (form.values.get("media.media_id") ?? []).filter((each) => each !== ""),
  );
  const at = path(`${CONNECTIONS_PATH}/${id}`);
  return showPage({
    title: name,
    scripts: ["upload.client.js"],
    actions: (
      <>
        <PostButton action={`${at}/test`}>Test</PostButton>
        {channel === "official" && <PostButton action={`${at}/sync-templates`}>Sync templates</PostButton>}
      </>
    ),
    body: (
      <>
        <Facts facts={describeConnection(connection)} />
        {isSandbox ? (
          <SandboxParts
            action={`${at}/simulate`}
            state={formStateFor(form, "simulate")}
            files={files}
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
          <EditForm request={request} connection={connection} state={formStateFor(form, "edit")} />
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

/** Leaves empty settings out, which keeps the stored ones. */
const readChange = (form: SentForm) => ({
  ...form.body(),
  ...readSettings(form),
  name: form.text("name") ?? "",
  messages_per_second: form.number("messages_per_second") ?? "",
  is_default: form.checked("is_default"),
});

/** Leaves unchanged settings out: any setting sent has a connection that is down tried again. */
function onlyChangedSettings(
  before: Record<string, unknown>,
  sent: Record<string, unknown> = {},
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(sent).filter(([name, value]) => before[name] !== value));
}

connectionDetailPages.get("/settings/connections/:id", {}, (request, { params }) => connectionPage(request, params.id));

connectionDetailPages.post(
  "/settings/connections/:id",
  {
    body: updateConnectionBody,
    form: "edit",
    read: readChange,
    isPartial: true,
    onInvalid: (request, { id }, form) => connectionPage(request, id, form),
  },
  async ({ ctx, path }, { params: { id }, body, shown }) => {
    const before = shown?.config ?? presentConnection(await requireConnection(ctx, id), "").config;
    const config = onlyChangedSettings(before, body.config);
    const { name } = await updateConnection(
      ctx,
      id,
      connectionChange({ ...body, config }),
      connectionChange(shown ?? {}),
    );
    return redirectTo(path(`${CONNECTIONS_PATH}/${id}`), `${name} has been saved.`);
  },
);

connectionDetailPages.post("/settings/connections/:id/test", {}, async ({ ctx, path }, { params: { id } }) => {
  const at = path(`${CONNECTIONS_PATH}/${id}`);
  try {
    return redirectTo(at, await testConnection(ctx, id));
  } catch (error) {
    if (error instanceof AppError && error.code === "provider_error") return redirectWithError(at, error.message);
    throw error;
  }
});

connectionDetailPages.post(
  "/settings/connections/:id/sync-templates",
  {},
  async ({ ctx, path }, { params: { id } }) => {
    const { created, updated, removed } = await syncTemplates(ctx, id);
    return redirectTo(
      path(`${CONNECTIONS_PATH}/${id}`),
      `Templates are synced: ${created} new, ${updated} changed, ${removed} gone.`,
    );
  },
);

connectionDetailPages.post("/settings/connections/:id/delete", {}, async ({ ctx, path }, { params: { id } }) => {
  const { name } = await retireConnection(ctx, id);
  return redirectTo(path(CONNECTIONS_PATH), `${name} has been deleted.`);
});

connectionDetailPages.post(
  "/settings/connections/:id/simulate",
  { ...unparsedForm, form: "simulate", onInvalid: (request, { id }, form) => connectionPage(request, id, form) },
  async ({ ctx, path }, { params: { id }, body: form }) => {
    const body = readSimulated(form);
    await simulateInbound(ctx, id, body);
    return redirectTo(path(`${CONNECTIONS_PATH}/${id}`), `A message from ${body.from} is on its way to the inbox.`);
  },
);
