import { listWebhooks } from "../../../features/webhooks/webhooks.service.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { ListPage } from "../../kit/page/list-page.tsx";
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

/** Exceeds the workspace limit. */
const MAX_LISTED = 50;
const POLL_S = 5;

webhookPages.get(WEBHOOKS_PATH, {}, async ({ ctx, path }) => {
  const webhooks = (await listWebhooks(ctx, MAX_LISTED, undefined)).map(viewWebhook);
  return (
    <ListPage
      title="Webhooks"
      create={{ label: "New webhook", href: path(`${WEBHOOKS_PATH}/new`) }}
      empty={{
        title: "No webhooks yet",
        icon: "webhook",
        text: "Send events to your software as they happen: messages, receipts, campaigns and contact changes.",
      }}
      live={{ id: "webhooks", seconds: POLL_S }}
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
  );
});
