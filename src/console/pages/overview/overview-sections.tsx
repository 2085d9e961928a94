// The sections of the overview, each with a next step where it is empty.
import type { FC, PropsWithChildren } from "hono/jsx";
import { countsOf } from "../../../features/campaigns/campaigns.progress.ts";
import type { CampaignRecord } from "../../../features/campaigns/campaigns.schemas.ts";
import type { Connection } from "../../../features/connections/connections.service.ts";
import type { ConversationRecord } from "../../../features/conversations/conversations.schemas.ts";
import type { DayOfMessages } from "../../../features/messages/count-messages.ts";
import type { WebhookRecord } from "../../../features/webhooks/webhooks.schemas.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { Badge, Banner, EmptyState, Section, LocalTime } from "../../kit/feedback.tsx";
import { formatNumber } from "../../kit/format.ts";
import { Table } from "../../kit/tables.tsx";
import { useWorkspaceRequest } from "../../kit/request.ts";
import { describeCampaignError, campaignStatusLabels } from "../campaigns/campaign-labels.ts";
import { providerNames, ConnectionStatusBadge } from "../connections/providers.tsx";
import { conversationTitle } from "../inbox/inbox-list.tsx";
import { webhookName } from "../webhooks/webhook-parts.tsx";
import { MessagesPerDay, countTotal } from "./overview-chart.tsx";

/** The data of the overview. */
export interface OverviewData {
  open: { open: number; unread: number };
  /** Null while the workspace is busy with other counts. */
  messages: { days: readonly DayOfMessages[]; completeFrom: number } | null;
  campaigns: readonly CampaignRecord[];
  connections: readonly Connection[];
  conversations: readonly ConversationRecord[];
  failingWebhooks: readonly WebhookRecord[];
}

/** The address of a page at or below a navigation item; null where this member has no such item. */
export function usePathTo(): (place: string, below?: string) => string | null {
  const { path, mainNavigation, settingsNavigation } = useWorkspaceRequest();
  return (place, below = "") =>
    [...mainNavigation, ...settingsNavigation].some((each) => each.path === place) ? path(place + below) : null;
}

export const OptionalLink: FC<PropsWithChildren<{ to: string | null }>> = ({ to, children }) =>
  to === null ? <>{children}</> : <a href={to}>{children}</a>;

const NextStep: FC<PropsWithChildren<{ to: string | null }>> = ({ to, children }) =>
  to === null ? null : <ButtonLink href={to}>{children}</ButtonLink>;

export const FailingWebhooks: FC<{ known: OverviewData }> = ({ known: { failingWebhooks } }) => {
  const address = usePathTo();
  return (
    <div id="failing-webhooks">
      {failingWebhooks.map((webhook) => (
        <Banner kind={webhook.status === "disabled" ? "error" : "warning"}>
          The webhook{" "}
          <OptionalLink to={address("/settings/webhooks", `/${webhook.id}`)}>{webhookName(webhook)}</OptionalLink>{" "}
          {webhook.status === "disabled" ? "is disabled: nothing is sent any more." : "keeps failing."}{" "}
          {webhook.status_reason}
        </Banner>
      ))}
    </div>
  );
};

export const MessagesSection: FC<{ known: OverviewData }> = ({ known: { messages, connections } }) => {
  const address = usePathTo();
  return (
    <Section title="Messages of the last 14 days">
      {messages === null ? (
        <p>Other counts of this workspace are still running. Reload the page in a few seconds.</p>
      ) : messages.days.some((day) => countTotal(day) > 0) ? (
        <MessagesPerDay days={messages.days} completeFrom={messages.completeFrom} />
      ) : connections.length === 0 ? (
        <EmptyState
          title="No message yet"
          action={<NextStep to={address("/settings/connections")}>Add a connection</NextStep>}
        >
          Messages leave and arrive through a connection. A sandbox is one to try everything with: it reaches nobody.
        </EmptyState>
      ) : (
        <EmptyState
          title="No message in these days"
          action={<NextStep to={address("/settings/api-keys")}>Create an API key</NextStep>}
        >
          Send one through the API, or wait for somebody to write.
        </EmptyState>
      )}
    </Section>
  );
};

export const ConversationsSection: FC<{ known: OverviewData }> = ({ known: { conversations } }) => {
  const address = usePathTo();
  return (
    <Section title="Open conversations" id="waiting">
      {conversations.length === 0 ? (
        <EmptyState title="No open conversations">New messages from contacts show up here and in the inbox.</EmptyState>
      ) : (
        <Table
          caption="Open conversations, latest first"
          rows={conversations}
          columns={[
            {
              label: "Contact",
              cell: (each) => (
                <OptionalLink to={address("/inbox", `/${each.id}`)}>{conversationTitle(each)}</OptionalLink>
              ),
            },
            { label: "Last message", cell: ({ last_message }) => <span class="cut">{last_message}</span> },
            { label: "Unread", align: "end", cell: ({ unread_count }) => unread_count },
            { label: "At", cell: ({ last_message_at }) => <LocalTime at={last_message_at} /> },
          ]}
        />
      )}
    </Section>
  );
};

const Progress: FC<{ campaign: CampaignRecord }> = ({ campaign }) => {
  const { status, scheduled_at, recipient_count: all } = campaign;
  if (status === "scheduled" && scheduled_at !== null)
    return (
      <>
        begins <LocalTime at={scheduled_at} />
      </>
    );
  const done = all - countsOf(campaign).pending;
  return (
    <span class="campaign-progress">
      <progress value={done} max={Math.max(1, all)} aria-label={`Progress of ${campaign.name}`} /> {formatNumber(done)}{" "}
      of {formatNumber(all)}
    </span>
  );
};

export const CampaignsSection: FC<{ known: OverviewData }> = ({ known: { campaigns } }) => {
  const address = usePathTo();
  return (
    <Section title="Campaigns under way" id="campaigns">
      {campaigns.length === 0 ? (
        <EmptyState
          title="No campaign is under way"
          action={<NextStep to={address("/campaigns")}>Go to Campaigns</NextStep>}
        >
          A campaign sends one template to many people. Those that run, are paused or wait for their time show up here.
        </EmptyState>
      ) : (
        <Table
          caption="Campaigns that run, are paused or wait for their time"
          rows={campaigns}
          columns={[
            {
              label: "Name",
              cell: ({ id, name }) => <OptionalLink to={address("/campaigns", `/${id}`)}>{name}</OptionalLink>,
            },
            {
              label: "Status",
              cell: ({ status, last_error }) => (
                <>
                  <Badge tone={campaignStatusLabels[status].tone}>{campaignStatusLabels[status].label}</Badge>{" "}
                  {last_error !== null && <span class="cut">{describeCampaignError(last_error, status)}</span>}
                </>
              ),
            },
            { label: "Progress", cell: (campaign) => <Progress campaign={campaign} /> },
          ]}
        />
      )}
    </Section>
  );
};

export const ConnectionsSection: FC<{ known: OverviewData }> = ({ known: { connections } }) => {
  const address = usePathTo();
  return (
    <Section title="Connections" id="connections">
      {connections.length === 0 ? (
        <EmptyState
          title="No connection yet"
          action={<NextStep to={address("/settings/connections")}>Add a connection</NextStep>}
        >
          Messages leave and arrive through a connection.
        </EmptyState>
      ) : (
        <Table
          caption="Connections and how they are"
          rows={connections}
          columns={[
            {
              label: "Name",
              cell: ({ id, name }) => (
                <OptionalLink to={address("/settings/connections", `/${id}`)}>{name}</OptionalLink>
              ),
            },
            { label: "Provider", cell: ({ provider, channel }) => `${providerNames[provider]}, ${channel}` },
            {
              label: "Status",
              cell: ({ status, statusDetail }) => (
                <>
                  <ConnectionStatusBadge status={status} /> {statusDetail}
                </>
              ),
            },
            { label: "Since", cell: ({ statusAt, createdAt }) => <LocalTime at={statusAt ?? createdAt} /> },
          ]}
        />
      )}
    </Section>
  );
};
