import type { Child, FC } from "hono/jsx";
import { MAX_COUNTED, type Overview } from "../../../features/overview/read-overview.ts";
import { SECOND_MS } from "../../../shared/time/durations.ts";
import { Badge, LocalTime, Section, type Tone } from "../../kit/feedback.tsx";
import { formatDuration, formatNumber } from "../../kit/format.ts";
import { Icon, type IconName } from "../../kit/icon.tsx";
import { usePageRequest } from "../../kit/request.ts";
import { Table } from "../../kit/tables.tsx";
import { describeCampaignError } from "../campaigns/campaign-labels.ts";
import { ConnectionStatusBadge } from "../connections/providers.tsx";
import { jobTitles } from "../contacts/contact-jobs.tsx";
import { conversationTitle } from "../inbox/list/inbox-list.tsx";
import { webhookName } from "../webhooks/webhooks.tsx";
import { OptionalLink, usePathTo } from "../../kit/page/optional-link.tsx";
import { namesOf } from "../choices.ts";

export const formatBounded = (count: number) =>
  count < MAX_COUNTED ? formatNumber(count) : `${formatNumber(MAX_COUNTED)} or more`;

interface Item {
  icon: IconName;
  state: Child;
  to: string | null;
  name: string;
  text: Child;
}

const state = (tone: Tone, text: string) => <Badge tone={tone}>{text}</Badge>;

function itemsOf(overview: Overview, address: ReturnType<typeof usePathTo>): Item[] {
  const { connections, failingWebhooks, campaigns, failedJobs, deadEvents } = overview;
  return [
    ...connections
      .filter(({ status }) => status !== "active")
      .map(({ id, name, status, statusDetail, statusAt, createdAt }) => ({
        icon: "plug" as const,
        state: <ConnectionStatusBadge status={status} />,
        to: address("/settings/connections", `/${id}`),
        name,
        text: (
          <>
            {statusDetail} Since <LocalTime at={statusAt ?? createdAt} />.
          </>
        ),
      })),
    ...failingWebhooks.map((webhook) => ({
      icon: "webhook" as const,
      state: webhook.status === "disabled" ? state("bad", "Disabled") : state("warning", "Failing"),
      to: address("/settings/webhooks", `/${webhook.id}`),
      name: webhookName(webhook),
      text:
        webhook.status === "disabled"
          ? `Deliveries have stopped. ${webhook.status_reason ?? ""}`
          : webhook.status_reason,
    })),
    ...campaigns
      .filter(({ status, last_error }) => status === "paused" && last_error !== null)
      .map(({ id, name, status, last_error }) => ({
        icon: "megaphone" as const,
        state: state("warning", "Paused automatically"),
        to: address("/campaigns", `/${id}`),
        name,
        text: describeCampaignError(last_error ?? "", status),
      })),
    ...failedJobs.map(({ id, action, finishedAt }) => ({
      icon: "users" as const,
      state: state("bad", "Stopped"),
      to: address("/contacts", `/jobs/${id}`),
      name: jobTitles[action],
      text: (
        <>
          Stopped before all contacts were edited
          {finishedAt !== null && (
            <>
              , <LocalTime at={finishedAt} />
            </>
          )}
          .
        </>
      ),
    })),
    ...(deadEvents === 0
      ? []
      : [
          {
            icon: "triangle-alert" as const,
            state: state("bad", "Not processed"),
            to: "/docs/management",
            name: `${formatBounded(deadEvents)} provider events`,
            text: "Tidings couldn't process these events. Replay them with the management API.",
          },
        ]),
  ];
}

export const Failures: FC<{ overview: Overview }> = ({ overview }) => {
  const items = itemsOf(overview, usePathTo());
  return (
    <div id="failures" data-changes-with="campaign connection webhook">
      {items.length > 0 && (
        <Section title="Needs attention">
          <ul class="failures">
            {items.map(({ icon, state: badge, to, name, text }) => (
              <li>
                <Icon name={icon} />
                <span>
                  <OptionalLink to={to}>{name}</OptionalLink> {badge} <span class="help">{text}</span>
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
};

function describeWaiting({ total, over_hour, over_day }: Overview["waitingCounts"]): string {
  const over = [
    ...(over_hour === 0 ? [] : [`${formatNumber(over_hour)} over an hour`]),
    ...(over_day === 0 ? [] : [`${formatNumber(over_day)} over a day`]),
  ];
  const all = `${formatBounded(total)} ${total === 1 ? "unanswered conversation" : "unanswered conversations"}`;
  return `${[all, ...over].join(", ")}.`;
}

type WaitingProps = Pick<Overview, "waiting" | "connections">;

export const WaitingTable: FC<{ overview: WaitingProps }> = ({ overview: { waiting, connections } }) => {
  const address = usePathTo();
  const { base } = usePageRequest();
  const names = namesOf(connections);
  const waited = (since: number) => formatDuration((base.now() - since) / SECOND_MS);
  return (
    <Table
      caption="Longest unanswered conversations"
      rows={waiting}
      columns={[
        {
          label: "Contact",
          cell: (each) => <OptionalLink to={address("/inbox", `/${each.id}`)}>{conversationTitle(each)}</OptionalLink>,
        },
        { label: "Wrote", cell: ({ last_written }) => <span class="cut">{last_written}</span> },
        {
          label: "Connection",
          cell: ({ connection_id }) => <span class="dim">{names.get(connection_id) ?? "A deleted connection"}</span>,
        },
        { label: "Unanswered for", align: "end", cell: ({ waiting_since }) => waited(waiting_since) },
      ]}
    />
  );
};

export const WaitingSection: FC<{ overview: Overview }> = ({ overview }) => {
  const address = usePathTo();
  const { waiting, waitingCounts } = overview;
  return (
    <Section title="Unanswered" id="waiting">
      {waitingCounts.total === 0 ? (
        <p class="help">No unanswered conversations.</p>
      ) : (
        <>
          <p class="help">
            {describeWaiting(waitingCounts)}{" "}
            {waitingCounts.total > waiting.length && (
              <OptionalLink to={address("/overview", "/waiting")}>
                See all<span class="unseen"> unanswered conversations</span>
              </OptionalLink>
            )}
          </p>
          <WaitingTable overview={overview} />
        </>
      )}
    </Section>
  );
};
