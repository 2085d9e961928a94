// The sections of the overview: what goes on, and what to do where nothing does.
import type { FC, PropsWithChildren } from "hono/jsx";
import { countsOf } from "../../../features/campaigns/campaigns.progress.ts";
import type { CampaignRecord } from "../../../features/campaigns/campaigns.schemas.ts";
import type { Connection } from "../../../features/connections/connections.service.ts";
import type { ConversationRecord } from "../../../features/conversations/conversations.schemas.ts";
import type { DayOfMessages } from "../../../features/messages/count-messages.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { Badge, EmptyState, Section, Time } from "../../kit/feedback.tsx";
import { Table } from "../../kit/tables.tsx";
import { useWorkspace } from "../../kit/visit.ts";
import { errorInWords, statuses } from "../campaigns/campaign-words.ts";
import { providerNames, Status } from "../connections/connections-guide.tsx";
import { nameOf } from "../inbox/inbox-list.tsx";
import { MessagesPerDay, totalOf } from "./overview-chart.tsx";

/** All that the overview tells of. */
export interface Known {
  open: { open: number; unread: number };
  /** Null where they could not be counted now. */
  messages: { days: readonly DayOfMessages[]; completeFrom: number } | null;
  campaigns: readonly CampaignRecord[];
  connections: readonly Connection[];
  conversations: readonly ConversationRecord[];
}

const number = new Intl.NumberFormat("en");

/** The address of a page at or below a place, where there is that place for this member. */
export function useAddress(): (place: string, below?: string) => string | null {
  const { path, places, settings } = useWorkspace();
  return (place, below = "") =>
    [...places, ...settings].some((each) => each.path === place) ? path(place + below) : null;
}

export const Linked: FC<PropsWithChildren<{ to: string | null }>> = ({ to, children }) =>
  to === null ? <>{children}</> : <a href={to}>{children}</a>;

const NextStep: FC<PropsWithChildren<{ to: string | null }>> = ({ to, children }) =>
  to === null ? null : <ButtonLink href={to}>{children}</ButtonLink>;

export const Messages: FC<{ known: Known }> = ({ known: { messages, connections } }) => {
  const address = useAddress();
  return (
    <Section title="Messages of the last 14 days">
      {messages === null ? (
        <p>Other counts of this workspace are still running. Reload the page in a few seconds.</p>
      ) : messages.days.some((day) => totalOf(day) > 0) ? (
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

export const Waiting: FC<{ known: Known }> = ({ known: { conversations } }) => {
  const address = useAddress();
  return (
    <Section title="Open conversations" id="waiting">
      {conversations.length === 0 ? (
        <EmptyState title="Nobody is waiting">New messages from contacts show up here and in the inbox.</EmptyState>
      ) : (
        <Table
          caption="Open conversations, latest first"
          rows={conversations}
          columns={[
            {
              label: "Contact",
              cell: (each) => <Linked to={address("/inbox", `/${each.id}`)}>{nameOf(each)}</Linked>,
            },
            { label: "Last message", cell: ({ last_message }) => <span class="cut">{last_message}</span> },
            { label: "Unread", align: "end", cell: ({ unread_count }) => unread_count },
            { label: "At", cell: ({ last_message_at }) => <Time at={last_message_at} /> },
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
        begins <Time at={scheduled_at} />
      </>
    );
  const done = all - countsOf(campaign).pending;
  return (
    <span class="campaign-progress">
      <progress value={done} max={Math.max(1, all)} aria-label={`Progress of ${campaign.name}`} /> {number.format(done)}{" "}
      of {number.format(all)}
    </span>
  );
};

export const Campaigns: FC<{ known: Known }> = ({ known: { campaigns } }) => {
  const address = useAddress();
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
            { label: "Name", cell: ({ id, name }) => <Linked to={address("/campaigns", `/${id}`)}>{name}</Linked> },
            {
              label: "Status",
              cell: ({ status, last_error }) => (
                <>
                  <Badge tone={statuses[status].tone}>{statuses[status].label}</Badge>{" "}
                  {last_error !== null && <span class="cut">{errorInWords(last_error, status)}</span>}
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

export const Connections: FC<{ known: Known }> = ({ known: { connections } }) => {
  const address = useAddress();
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
              cell: ({ id, name }) => <Linked to={address("/settings/connections", `/${id}`)}>{name}</Linked>,
            },
            { label: "Provider", cell: ({ provider, channel }) => `${providerNames[provider]}, ${channel}` },
            {
              label: "Status",
              cell: ({ status, statusDetail }) => (
                <>
                  <Status status={status} /> {statusDetail}
                </>
              ),
            },
            { label: "Since", cell: ({ statusAt, createdAt }) => <Time at={statusAt ?? createdAt} /> },
          ]}
        />
      )}
    </Section>
  );
};
