import { page } from "../../../http/fields.ts";
import { listDeliveries, retryDelivery, testWebhook } from "../../../features/webhooks/inspect-deliveries.ts";
import {
  listDeliveriesQuery,
  presentAttempt,
  presentDelivery,
  rotateSecretBody,
  skippedEvents,
} from "../../../features/webhooks/webhooks.schemas.ts";
import { isSending } from "../../../features/webhooks/webhooks.retries.ts";
import {
  deleteWebhook,
  enableWebhook,
  getWebhook,
  pauseWebhook,
  requireWebhook,
  rotateSecret,
} from "../../../features/webhooks/webhooks.service.ts";
import { ButtonLink, ConfirmButton, PostButton } from "../../kit/actions.tsx";
import { workspacePages } from "../../kit/audiences.ts";
import { Banner, Section } from "../../kit/feedback.tsx";
import { formatCount } from "../../kit/format.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { redirectTo } from "../../kit/results.ts";
import { Page } from "../../kit/page/page.tsx";
import { Deliveries, TestOutcome } from "./webhook-deliveries.tsx";
import { viewWebhook, webhookName, WEBHOOKS_PATH } from "./webhooks.tsx";
import {
  replayFormBody,
  ReplaySection,
  replayTimes,
  Health,
  SecretSection,
  SettingsSection,
  showSecretPage,
} from "./webhook-sections.tsx";
import { listAllConnections } from "../choices.ts";

export const webhookDetailPages = workspacePages();

const ONE = `${WEBHOOKS_PATH}/:id`;
const PER_PAGE = 25;

const listQuery = listDeliveriesQuery.pick({ state: true, cursor: true });

interface PageState {
  query?: { state?: "pending" | "failed" | "succeeded" | undefined; cursor?: [string] | undefined };
  attempt?: ReturnType<typeof presentAttempt>;
}

async function webhookPage({ ctx, path }: WorkspaceRequest, id: string, { query = {}, attempt }: PageState = {}) {
  const [state, rows, connections] = await Promise.all([
    getWebhook(ctx, id),
    listDeliveries(ctx, id, { ...query, limit: PER_PAGE }),
    listAllConnections(ctx),
  ]);
  const { revision } = state.webhook;
  const webhook = viewWebhook(state);
  const { items, nextCursor } = page(rows, PER_PAGE, (each) => [each.id]);
  const here = path(`${WEBHOOKS_PATH}/${id}`);
  const name = webhookName(webhook);
  return (
    <Page
      title={name}
      scripts={["times.client.js"]}
      actions={
        <>
          <PostButton action={`${here}/test`} swap="test-result">
            Send test
          </PostButton>
          {webhook.status !== "active" && (
            <PostButton action={`${here}/enable`} kind="primary" revision={revision}>
              {webhook.status === "probing" ? "Retry now" : "Enable"}
            </PostButton>
          )}
          {isSending(webhook.status) && (
            <PostButton action={`${here}/pause`} revision={revision}>
              Pause
            </PostButton>
          )}
          <ButtonLink href={`${here}/edit`}>Edit</ButtonLink>
        </>
      }
    >
      <div id="test-result">
        {attempt !== undefined && (
          <Banner kind={attempt.error === null ? "done" : "error"}>
            <TestOutcome attempt={attempt} />
          </Banner>
        )}
      </div>
      <Health webhook={webhook} />
      <SettingsSection webhook={webhook} connections={connections} />
      <Deliveries here={here} state={query.state} deliveries={items.map(presentDelivery)} next={nextCursor} />
      <ReplaySection here={here} />
      <SecretSection here={here} />
      <Section title="Delete" help={isSending(webhook.status) ? "To stop it temporarily, pause it." : undefined}>
        <ConfirmButton
          id="delete"
          label="Delete webhook"
          title={`Delete ${name}?`}
          action={`${here}/delete`}
          confirm="Delete webhook"
          revision={revision}
        >
          Deliveries stop, pending events are dropped, and the delivery log is deleted.
        </ConfirmButton>
      </Section>
    </Page>
  );
}

webhookDetailPages.get(ONE, { query: listQuery }, (request, { params, query }) =>
  webhookPage(request, params.id, { query }),
);

webhookDetailPages.post(`${ONE}/test`, {}, async (request, { params: { id } }) => {
  const attempt = presentAttempt(await testWebhook(request.ctx, id, request.url.origin));
  return webhookPage(request, id, { attempt });
});

webhookDetailPages.post(`${ONE}/pause`, {}, async ({ ctx, path }, { params: { id } }) => {
  await pauseWebhook(ctx, id);
  return redirectTo(path(`${WEBHOOKS_PATH}/${id}`), "Webhook paused. Events are kept for 30 days.");
});

webhookDetailPages.post(`${ONE}/enable`, {}, async ({ ctx, path }, { params: { id } }) => {
  const skipped = skippedEvents(await enableWebhook(ctx, id));
  const lost = ` ${formatCount(skipped, "event")} expired before ${skipped === 1 ? "it was" : "they were"} sent.`;
  return redirectTo(
    path(`${WEBHOOKS_PATH}/${id}`),
    `Webhook enabled. Delivery resumes where it stopped.${skipped > 0 ? lost : ""}`,
  );
});

webhookDetailPages.post(`${ONE}/delete`, {}, async ({ ctx, path }, { params: { id } }) => {
  const { webhook } = await deleteWebhook(ctx, id);
  return redirectTo(path(WEBHOOKS_PATH), `${webhookName(webhook)} deleted.`);
});

webhookDetailPages.post(
  `${ONE}/rotate-secret`,
  { body: rotateSecretBody, onInvalid: (request, { id }) => webhookPage(request, id) },
  async ({ ctx, path }, { params: { id }, body: { overlap_seconds: seconds } }) => {
    const { webhook } = await requireWebhook(ctx, id);
    const secret = await rotateSecret(ctx, id, seconds);
    return showSecretPage({
      title: `New secret for ${webhookName(webhook)}`,
      secret,
      back: path(`${WEBHOOKS_PATH}/${id}`),
      note:
        seconds === 0
          ? "The old secret no longer signs requests."
          : "The old secret also signs requests until it expires.",
    });
  },
);

webhookDetailPages.post(
  `${ONE}/replay`,
  { body: replayFormBody, onInvalid: (request, { id }) => webhookPage(request, id) },
  async ({ ctx, path }, { params: { id }, body }) =>
    redirectTo(path(`${WEBHOOKS_PATH}/${id}`), await replayTimes(ctx, id, body)),
);

webhookDetailPages.post(
  `${ONE}/deliveries/:delivery/retry`,
  {},
  async ({ ctx, path }, { params: { id, delivery } }) => {
    await retryDelivery(ctx, id, delivery);
    return redirectTo(path(`${WEBHOOKS_PATH}/${id}`), "Sending it again.");
  },
);
