import type { FC } from "hono/jsx";
import {
  presentWebhook,
  typesOf,
  type WebhookRecord,
  type WebhookState,
} from "../../../features/webhooks/webhooks.schemas.ts";
import { eventTypes } from "../../../features/events/events.types.ts";
import { Age, Badge, LocalTime, type LabelledState, StateBadge } from "../../kit/feedback.tsx";
import { formatCount } from "../../kit/format.ts";
import { listWebhooks } from "../../../features/webhooks/webhooks.service.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { ListPage } from "../../kit/page/list-page.tsx";
import { MAX_WEBHOOKS } from "../../../features/webhooks/webhooks.changes.ts";

export const WEBHOOKS_PATH = "/settings/webhooks";

export const viewWebhook = (state: WebhookState) => ({
  ...presentWebhook(state),
  failingSince: state.place?.failingSince ?? null,
});

export type WebhookView = ReturnType<typeof viewWebhook>;

type Status = WebhookRecord["status"];

const statuses = {
  active: { label: "Active", tone: "good" },
  probing: { label: "Failing", tone: "warning" },
  paused: { label: "Paused", tone: "plain" },
  disabled: { label: "Disabled", tone: "bad" },
} satisfies Record<Status, LabelledState>;

export const WebhookStatusBadge: FC<Pick<WebhookView, "status" | "failingSince">> = ({ status, failingSince }) =>
  status === "active" && failingSince !== null ? (
    <>
      <Badge tone="warning">Failing</Badge> since <LocalTime at={failingSince} />
    </>
  ) : (
    <StateBadge state={statuses[status]} />
  );

export const webhookName = ({ description, url }: Pick<WebhookView, "description" | "url">): string =>
  description ?? url.replace(/^https?:\/\//, "").replace(/\?.*$/, "");

/** Lists up to three patterns. If there are more, returns how many types they match, such as `12 event types`. */
export function describeTypes(patterns: readonly string[]): string {
  const count = typesOf(patterns).length;
  if (count === eventTypes.length) return "All events";
  return patterns.length <= 3 ? patterns.join(", ") : formatCount(count, "event type", "event types");
}

export const describeLag = (lag: number): string => (lag === 0 ? "Up to date" : `${formatCount(lag, "event")} behind`);

export const TimeOr: FC<{ at: string | null; otherwise: string }> = ({ at, otherwise }) =>
  at === null ? <>{otherwise}</> : <LocalTime at={Date.parse(at)} />;

const LastDelivery: FC<WebhookView> = ({ last_success_at: success, last_failure_at: failure }) => {
  const at = [success ?? "", failure ?? ""].toSorted().at(-1) ?? "";
  if (at === "") return <>None yet</>;
  return (
    <>
      {at === success ? "Delivered" : "Failed"} <Age at={Date.parse(at)} />
    </>
  );
};

export const webhookPages = workspacePages();

const POLL_S = 5;

webhookPages.get(WEBHOOKS_PATH, {}, async ({ ctx, path }) => {
  const webhooks = (await listWebhooks(ctx, MAX_WEBHOOKS, undefined)).map(viewWebhook);
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
              <WebhookStatusBadge status={status} failingSince={failingSince} />
              {status_reason !== null && <div class="help">{status_reason}</div>}
            </>
          ),
        },
        { label: "Events", cell: ({ types }) => describeTypes(types) },
        { label: "Progress", cell: ({ lag }) => <span class="whole">{describeLag(lag)}</span> },
        { label: "Last delivery", cell: (webhook) => <LastDelivery {...webhook} /> },
      ]}
    />
  );
});
