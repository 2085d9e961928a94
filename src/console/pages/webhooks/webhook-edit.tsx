import { listConnections } from "../../../features/connections/connections.service.ts";
import { createWebhook, requireWebhook, updateWebhook } from "../../../features/webhooks/webhooks.service.ts";
import { workspacePages } from "../../kit/audiences.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { redirectTo } from "../../kit/results.ts";
import { Page } from "../../kit/page/page.tsx";
import { newSettings, WebhookForm, webhookForm } from "./webhook-form.tsx";
import { webhookName, WEBHOOKS_PATH } from "./webhook-parts.tsx";
import { showSecretPage } from "./webhook-secret.tsx";

export const webhookFormPages = workspacePages();

const MAX_LISTED = 100;

async function newPage({ ctx, path }: WorkspaceRequest) {
  const connections = await listConnections(ctx, MAX_LISTED, undefined);
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

async function editPage({ ctx, path }: WorkspaceRequest, id: string) {
  const [{ webhook }, connections] = await Promise.all([
    requireWebhook(ctx, id),
    listConnections(ctx, MAX_LISTED, undefined),
  ]);
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

webhookFormPages.get(`${WEBHOOKS_PATH}/new`, {}, (request) => newPage(request));

webhookFormPages.post(
  `${WEBHOOKS_PATH}/new`,
  { body: webhookForm, onInvalid: (request) => newPage(request) },
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

webhookFormPages.get(`${WEBHOOKS_PATH}/:id/edit`, {}, (request, { params }) => editPage(request, params.id));

webhookFormPages.post(
  `${WEBHOOKS_PATH}/:id/edit`,
  { body: webhookForm, onInvalid: (request, { id }) => editPage(request, id) },
  async ({ ctx, path, url }, { params: { id }, body }) => {
    const { webhook } = await updateWebhook(ctx, id, body, url.origin);
    return redirectTo(path(`${WEBHOOKS_PATH}/${id}`), `${webhookName(webhook)} saved.`);
  },
);
