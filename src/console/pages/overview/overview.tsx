import type { FC } from "hono/jsx";
import { DAY_MS } from "../../../shared/durations.ts";
import { countsOf } from "../../../features/campaigns/campaigns.progress.ts";
import type { CampaignRecord } from "../../../features/campaigns/campaigns.schemas.ts";
import { listCampaigns, listUnfinishedCampaigns } from "../../../features/campaigns/campaigns.service.ts";
import { listConnections } from "../../../features/connections/connections.service.ts";
import { countOpenConversations, listConversations } from "../../../features/conversations/conversations.service.ts";
import { countMessages, type DayOfMessages } from "../../../features/messages/count-messages.ts";
import { listFailingWebhooks } from "../../../features/webhooks/webhooks.service.ts";
import { formatNumber } from "../../kit/format.ts";
import { showPage } from "../../kit/results.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { nullIfBusy } from "../../kit/null-if-busy.ts";
import {
  CampaignsSection,
  FailingWebhooks,
  ConnectionsSection,
  type OverviewData,
  OptionalLink,
  MessagesSection,
  usePathTo,
  ConversationsSection,
} from "./overview-sections.tsx";

export const overviewPages = workspacePages();

const DAYS = 14;
const SHOWN = 5;
const MANY = 100;
/** The most conversations that are counted. */
const COUNTED = 1000;

const upTo = (count: number) => (count < COUNTED ? formatNumber(count) : `${formatNumber(COUNTED)} or more`);

/** Adds each campaign's tally to the day it began. Skipped recipients are no messages. */
function withCampaigns(days: readonly DayOfMessages[], campaigns: readonly CampaignRecord[]): DayOfMessages[] {
  return days.map(({ at, counts }) => {
    const sum = { ...counts };
    for (const campaign of campaigns) {
      if (campaign.started_at === null || Math.floor(campaign.started_at / DAY_MS) * DAY_MS !== at) continue;
      const { pending, sent, delivered, read, failed, unknown } = countsOf(campaign);
      sum.queued += pending;
      sum.sent += sent;
      sum.delivered += delivered;
      sum.read += read;
      sum.failed += failed;
      sum.unknown += unknown;
    }
    return { at, counts: sum };
  });
}

const Figures: FC<{ known: OverviewData }> = ({ known: { open, campaigns, connections } }) => {
  const address = usePathTo();
  const troubled = connections.filter(({ status }) => status !== "active").length;
  const running = campaigns.filter(({ status }) => status === "running").length;
  const figures = [
    {
      value: upTo(open.open),
      label: open.open === 1 ? "open conversation" : "open conversations",
      to: address("/inbox"),
    },
    { value: upTo(open.unread), label: "unread", to: address("/inbox", "?unread=true") },
    { value: running, label: running === 1 ? "running campaign" : "running campaigns", to: address("/campaigns") },
    {
      value: `${connections.length - troubled} of ${connections.length}`,
      label: "connections active",
      to: address("/settings/connections"),
    },
  ];
  return (
    <ul
      class="figures"
      id="figures"
      data-poll="15"
      data-changes-with="conversation campaign connection webhook"
      data-swap="waiting campaigns connections failing-webhooks"
    >
      {figures.map(({ value, label, to }) => (
        <li>
          <strong>{value}</strong> <OptionalLink to={to}>{label}</OptionalLink>
        </li>
      ))}
    </ul>
  );
};

overviewPages.get("/overview", {}, async ({ ctx }) => {
  const latest = { status: "open", unread: false, limit: SHOWN, after: undefined } as const;
  const [messages, open, conversations, started, campaigns, connections, failingWebhooks] = await Promise.all([
    nullIfBusy(countMessages(ctx, DAYS)),
    countOpenConversations(ctx, COUNTED),
    listConversations(ctx, latest),
    listCampaigns(ctx, MANY, undefined),
    listUnfinishedCampaigns(ctx, MANY),
    listConnections(ctx, MANY, undefined),
    listFailingWebhooks(ctx),
  ]);
  const known: OverviewData = {
    open,
    messages: messages && { ...messages, days: withCampaigns(messages.days, started) },
    campaigns,
    connections,
    failingWebhooks,
    conversations: conversations.slice(0, SHOWN),
  };
  return showPage({
    title: "Overview",
    body: (
      <>
        <FailingWebhooks known={known} />
        <Figures known={known} />
        <MessagesSection known={known} />
        <ConversationsSection known={known} />
        <CampaignsSection known={known} />
        <ConnectionsSection known={known} />
      </>
    ),
  });
});
