import { providerFacts } from "../../../channels/providers.ts";
import {
  requireConnection,
  testConnection,
  updateConnection,
} from "../../../features/connections/connections.service.ts";
import {
  type Connection,
  connectionChange,
  presentConnection,
  updateConnectionBody,
} from "../../../features/connections/connections.schemas.ts";
import { findMediaFiles } from "../../../features/media/media.service.ts";
import { listOutbox, simulateInbound } from "../../../features/sandbox/sandbox.service.ts";
import { syncTemplates } from "../../../features/templates/sync/sync-templates.ts";
import { deleteConnection } from "../../../features/workspaces/workspaces.service.ts";
import { AppError } from "../../../shared/errors.ts";
import { ConfirmButton, CopyField, PostButton } from "../../kit/actions.tsx";
import { toLabel } from "../../kit/format.ts";
import { redirectTo, redirectWithError } from "../../kit/results.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { Badge, Facts, Section, LocalTime } from "../../kit/feedback.tsx";
import { CheckField } from "../../kit/forms/choice-fields.tsx";
import { Form, Submit, TextField } from "../../kit/forms/form-fields.tsx";
import { unparsedForm } from "../../kit/forms/forms.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { Page } from "../../kit/page/page.tsx";
import { typedSettings, ConfigFields, CONNECTIONS_PATH, ConnectionStatusBadge } from "./providers.tsx";
import { readSimulated, SandboxParts } from "./connections-sandbox.tsx";

export const connectionDetailPages = workspacePages();

const MAX_OUTBOX = 10;

function EditForm({ request, connection }: { request: WorkspaceRequest; connection: Connection }) {
  const { id, name, provider, messagesPerSecond, isDefault } = connection;
  return (
    <Form action={request.path(`${CONNECTIONS_PATH}/${id}`)} name="edit" class="narrow" isPartial>
      <TextField name="name" label="Name" value={name} required />
      <ConfigFields provider={provider} stored={presentConnection(connection, "").config} />
      <TextField
        name="messages_per_second"
        label="Messages per second"
        help="Messages above this rate wait in a queue."
        value={String(messagesPerSecond)}
        inputmode="numeric"
        required
      />
      <CheckField
        name="is_default"
        label={`Default for ${connection.channel} connections`}
        help="Replaces the current default."
        checked={isDefault}
      />
      <Submit>Save</Submit>
    </Form>
  );
}

async function connectionPage(request: WorkspaceRequest, { id }: { id: string }) {
  const { ctx, path, url } = request;
  const connection = await requireConnection(ctx, id);
  const { name, provider, channel } = connection;
  const isSandbox = provider === "sandbox";
  const outbox = isSandbox
    ? await listOutbox(ctx, { connectionId: id, address: undefined, limit: MAX_OUTBOX, before: undefined })
    : [];
  const files = await findMediaFiles(
    ctx,
    (request.refused?.values.get("media.media_id") ?? []).filter((each) => each !== ""),
  );
  const at = path(`${CONNECTIONS_PATH}/${id}`);
  return (
    <Page
      title={name}
      scripts={["pages/upload.client.js"]}
      actions={
        <>
          <PostButton action={`${at}/test`}>Test</PostButton>
          {channel === "official" && <PostButton action={`${at}/sync-templates`}>Sync templates</PostButton>}
        </>
      }
    >
      <Facts
        facts={[
          [
            "Status",
            <>
              <ConnectionStatusBadge status={connection.status} /> {connection.statusDetail}
            </>,
          ],
          ["Provider", providerFacts[provider].name],
          [
            "Channel",
            <>
              {toLabel(channel)} {connection.isDefault && <Badge>Default</Badge>}
            </>,
          ],
          ["Messaging limit", connection.messagingLimit],
          ["Since", <LocalTime at={connection.createdAt} />],
        ]}
      />
      {isSandbox ? (
        <SandboxParts action={`${at}/simulate`} files={files} outbox={outbox.slice(0, MAX_OUTBOX)} />
      ) : (
        <div class="narrow">
          <CopyField
            id="webhook-url"
            label="Webhook URL"
            value={presentConnection(connection, url.origin).webhook_url}
            help="Your provider sends messages and receipts to this URL."
          />
        </div>
      )}
      <Section title="Settings" id="settings">
        <EditForm request={request} connection={connection} />
      </Section>
      <Section
        title="Delete"
        help="Revoke the API keys of this connection first. Conversations stay readable, and templates stored at its provider disappear from the list."
      >
        <ConfirmButton
          id="delete"
          label="Delete connection"
          title={`Delete ${name}?`}
          action={`${at}/delete`}
          confirm="Delete connection"
        >
          You can no longer send or receive through it. Its settings are deleted.
        </ConfirmButton>
      </Section>
    </Page>
  );
}

const connectionForm = updateConnectionBody.extend({ config: typedSettings.optional() });

/**
 * Returns only the settings that the user changed. A setting in the request makes a failed connection active again,
 * because it can solve the error. An unchanged setting must not do that.
 */
function onlyChangedSettings(
  before: Record<string, unknown>,
  sent: Record<string, unknown> = {},
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(sent).filter(([name, value]) => before[name] !== value));
}

connectionDetailPages.form(
  "/settings/connections/:id",
  { body: connectionForm, isPartial: true, page: connectionPage },
  async ({ ctx, path }, { params: { id }, body, original }) => {
    const before = original?.config ?? presentConnection(await requireConnection(ctx, id), "").config;
    const config = onlyChangedSettings(before, body.config);
    const { name } = await updateConnection(
      ctx,
      id,
      connectionChange({ ...body, config }),
      connectionChange(original ?? {}),
    );
    return redirectTo(path(`${CONNECTIONS_PATH}/${id}`), `${name} saved.`);
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
      `Templates synced: ${created} new, ${updated} changed, ${removed} removed.`,
    );
  },
);

connectionDetailPages.post("/settings/connections/:id/delete", {}, async ({ ctx, path }, { params: { id } }) => {
  const { name } = await deleteConnection(ctx, id);
  return redirectTo(path(CONNECTIONS_PATH), `${name} deleted.`);
});

connectionDetailPages.post(
  "/settings/connections/:id/simulate",
  { ...unparsedForm, onInvalid: connectionPage },
  async ({ ctx, path }, { params: { id }, body: form }) => {
    const body = readSimulated(form);
    await simulateInbound(ctx, id, body);
    return redirectTo(path(`${CONNECTIONS_PATH}/${id}`), `Message from ${body.from} is on its way to the inbox.`);
  },
);
