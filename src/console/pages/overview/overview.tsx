import type { FC } from "hono/jsx";
import * as z from "zod";
import { countsOf } from "../../../features/campaigns/campaigns.progress.ts";
import type { CampaignRecord } from "../../../features/campaigns/campaigns.schemas.ts";
import { listLongestWaiting, type Overview, readOverview } from "../../../features/overview/read-overview.ts";
import { countRequests } from "../../../features/request-log/request-log.service.ts";
import { usageDay } from "../../../features/request-log/request-log.usage.ts";
import { type DayOfStatistics, readStatistics } from "../../../features/statistics/statistics.service.ts";
import { updateWorkspace } from "../../../features/workspaces/workspaces.service.ts";
import { flagParam } from "../../../http/fields.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { EmptyState, LocalTime, Section, StateBadge } from "../../kit/feedback.tsx";
import { formatNumber, formatTimeZone } from "../../kit/format.ts";
import { nullIfBusy } from "../../kit/null-if-busy.ts";
import { useWorkspaceRequest } from "../../kit/request.ts";
import { redirectTo } from "../../kit/results.ts";
import { Table } from "../../kit/tables.tsx";
import { Page } from "../../kit/page/page.tsx";
import { campaignStatusLabels } from "../campaigns/campaign-labels.ts";
import { Failures, formatBounded, WaitingSection, WaitingTable } from "./overview-attention.tsx";
import { AnswerTimes, CountCharts } from "./overview-charts.tsx";
import { FirstSteps, isStarted } from "./overview-steps.tsx";
import { KeyUsageTable } from "./overview-usage.tsx";
import { OptionalLink, usePathTo } from "../../kit/page/optional-link.tsx";
import { Tabs } from "../../kit/page/tabs.tsx";

export const overviewPages = workspacePages();

const RANGES = ["7", "30", "90"] as const;

const rangeQuery = z.object({ days: z.enum(RANGES).default("30").transform(Number) });

const Figures: FC<{ overview: Overview }> = ({ overview: { open, waitingCounts, campaigns, connections } }) => {
  const address = usePathTo();
  const active = connections.filter(({ status }) => status === "active").length;
  const running = campaigns.filter(({ status }) => status === "running").length;
  const figures = [
    { value: formatBounded(waitingCounts.total), label: "unanswered", to: address("/overview", "/waiting") },
    {
      value: formatBounded(open.open),
      label: open.open === 1 ? "open conversation" : "open conversations",
      to: address("/inbox"),
    },
    { value: formatBounded(open.unread), label: "unread", to: address("/inbox", "?unread=true") },
    { value: running, label: running === 1 ? "running campaign" : "running campaigns", to: address("/campaigns") },
    {
      value: `${active} of ${connections.length}`,
      label: "connections active",
      to: address("/settings/connections"),
    },
  ];
  return (
    <ul
      class="figures"
      id="figures"
      data-changes-with="conversation campaign connection webhook"
      data-poll="15"
      data-swap="failures waiting campaigns"
    >
      {/* Hides the running campaigns if there are none. The other values are strings, so they are always shown. */}
      {figures
        .filter(({ value }) => value !== 0)
        .map(({ value, label, to }) => (
          <li>
            <strong>{value}</strong> <OptionalLink to={to}>{label}</OptionalLink>
          </li>
        ))}
    </ul>
  );
};

const Progress: FC<{ campaign: CampaignRecord }> = ({ campaign }) => {
  const { status, scheduled_at, recipient_count: all } = campaign;
  if (status === "scheduled" && scheduled_at !== null)
    return (
      <>
        starts <LocalTime at={scheduled_at} />
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

const Campaigns: FC<{ overview: Overview }> = ({ overview: { campaigns } }) => {
  const address = usePathTo();
  return (
    <div id="campaigns">
      {campaigns.length > 0 && (
        <Section title="Active campaigns">
          <Table
            caption="Running, paused and scheduled campaigns"
            rows={campaigns}
            columns={[
              {
                label: "Name",
                cell: ({ id, name }) => <OptionalLink to={address("/campaigns", `/${id}`)}>{name}</OptionalLink>,
              },
              { label: "Status", cell: ({ status }) => <StateBadge state={campaignStatusLabels[status]} /> },
              { label: "Progress", cell: (campaign) => <Progress campaign={campaign} /> },
            ]}
          />
        </Section>
      )}
    </div>
  );
};

const Ranges: FC<{ chosen: number }> = ({ chosen }) => {
  const { path } = useWorkspaceRequest();
  return (
    <Tabs
      label="Period"
      tabs={RANGES.map((days) => ({
        label: `${days} days`,
        href: path(`/overview?days=${days}`),
        isCurrent: Number(days) === chosen,
      }))}
    />
  );
};

const hasCounts = (days: readonly DayOfStatistics[]) => days.some(({ counts }) => counts.size > 0);

overviewPages.get("/overview", { query: rangeQuery }, async ({ ctx, workspace }, { query: { days: range } }) => {
  const timeZone = workspace.time_zone;
  const [overview, { days, isComplete }, usage] = await Promise.all([
    readOverview(ctx),
    readStatistics(ctx, { days: range, timeZone }),
    nullIfBusy(countRequests(ctx, range)),
  ]);
  const isNew = workspace.steps_hidden_at === null && !isStarted(overview);
  return (
    <Page title="Overview">
      {isNew && <FirstSteps overview={overview} />}
      <Figures overview={overview} />
      <Failures overview={overview} />
      <WaitingSection overview={overview} />
      <Campaigns overview={overview} />
      <Ranges chosen={range} />
      {hasCounts(days) ? (
        <>
          <div class="charts">
            <CountCharts days={days} />
            <AnswerTimes days={days} />
          </div>
          <KeyUsageTable usage={usage} keys={overview.keys} days={days} today={usageDay(ctx.now())} />
          <p class="help below">
            Days are in {formatTimeZone(timeZone)}.
            {!isComplete && " Recent events are still being counted. Reload in a minute."}
          </p>
        </>
      ) : (
        <p class="help">No activity in this period. Charts appear with the first message.</p>
      )}
    </Page>
  );
});

const MAX_WAITING = 100;

overviewPages.get("/overview/waiting", {}, async ({ ctx }) => {
  const overview = await listLongestWaiting(ctx, MAX_WAITING);
  return (
    <Page title="Unanswered">
      <div id="waiting" data-changes-with="conversation" data-poll="15">
        {overview.waiting.length === 0 ? (
          <EmptyState title="No unanswered conversations">Conversations that need a reply appear here.</EmptyState>
        ) : (
          <>
            <p class="help">{overview.waiting.length === MAX_WAITING && `The first ${MAX_WAITING}. `}Longest first.</p>
            <WaitingTable overview={overview} />
          </>
        )}
      </div>
    </Page>
  );
});

overviewPages.post(
  "/overview/steps",
  { body: z.strictObject({ hidden: flagParam }) },
  async ({ ctx, path }, { body: { hidden } }) => {
    await updateWorkspace(ctx, ctx.workspace.id, { areStepsHidden: hidden });
    return redirectTo(path("/overview"));
  },
);
