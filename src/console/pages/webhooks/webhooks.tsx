import { listWebhooks } from "../../../features/webhooks/webhooks.service.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { workspacePages } from "../../kit/audiences.ts";
import { EmptyState } from "../../kit/feedback.tsx";
import { Table } from "../../kit/tables.tsx";
import { Page } from "../../kit/page.tsx";
import {
  describeLag,
  describeTypes,
  TimeOr,
  viewWebhook,
  webhookName,
  WEBHOOKS_PATH,
  WebhookStatusBadge,
} from "./webhook-parts.tsx";

export const webhookPages = workspacePages();

/** More than a workspace has. */
const MAX_LISTED = 50;
const POLL_S = 5;

webhookPages.get(WEBHOOKS_PATH, {}, async ({ ctx, path }) => {
  const webhooks = (await listWebhooks(ctx, MAX_LISTED, undefined)).map(viewWebhook);
  const create = (
    <ButtonLink href={path(`${WEBHOOKS_PATH}/new`)} kind="primary">
      New webhook
    </ButtonLink>
  );
  return (
    <Page title="Webhooks" actions={webhooks.length > 0 && create}>
      {webhooks.length === 0 ? (
        <EmptyState title="No webhook yet" icon="webhook" action={create}>
          A webhook tells your software of what happens here, as it happens: messages that arrive, receipts, campaigns,
          changes to contacts.
        </EmptyState>
      ) : (
        <div id="webhooks" data-poll={POLL_S}>
          <Table
            caption="Webhooks, newest first"
            rows={webhooks}
            columns={[
              {
                label: "Name",
                cell: (webhook) => (
                  <>
                    <a href={path(`${WEBHOOKS_PATH}/${webhook.id}`)} id={`link-${webhook.id}`}>
                      {webhookName(webhook)}
                    </a>
                    {webhook.description !== null && <div class="help">{webhook.url}</div>}
                  </>
                ),
              },
              {
                label: "Status",
                cell: ({ status, status_reason, failingSince }) => (
                  <>
                    <WebhookStatusBadge status={status} failingSince={failingSince} /> {status_reason}
                  </>
                ),
              },
              { label: "Events", cell: ({ types }) => describeTypes(types) },
              { label: "Progress", cell: ({ lag }) => <span class="whole">{describeLag(lag)}</span> },
              {
                label: "Last success",
                cell: ({ last_success_at }) => <TimeOr at={last_success_at} otherwise="Never" />,
              },
              {
                label: "Last failure",
                cell: ({ last_failure_at }) => <TimeOr at={last_failure_at} otherwise="Never" />,
              },
            ]}
          />
        </div>
      )}
    </Page>
  );
});
