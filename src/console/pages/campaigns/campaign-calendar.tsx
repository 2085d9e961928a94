import type { FC } from "hono/jsx";
import * as z from "zod";
import type { CampaignRecord } from "../../../features/campaigns/campaigns.schemas.ts";
import { listCalendar } from "../../../features/campaigns/campaigns.service.ts";
import { localDay } from "../../../shared/time/time-zones.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { workspacePages } from "../../kit/audiences.ts";
import { formatCount, formatTimeZone, timeFormat } from "../../kit/format.ts";
import { useWorkspaceRequest } from "../../kit/request.ts";
import { Page } from "../../kit/page/page.tsx";
import { campaignStatusLabels } from "./campaign-labels.ts";
import { MONTH, type Month, monthOf } from "./month.ts";
import { StateBadge } from "../../kit/feedback.tsx";

export const campaignCalendarPages = workspacePages();

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

const calendarQuery = z.object({ month: z.string().regex(MONTH).optional() });

const monthName = timeFormat({ month: "long", year: "numeric" });
const dayName = timeFormat({ weekday: "long", day: "numeric", month: "long" });

const calendarTime = ({ started_at, scheduled_at }: CampaignRecord): number | null => started_at ?? scheduled_at;

const dayOf = (campaign: CampaignRecord, zone: string): string => {
  const at = calendarTime(campaign);
  return at === null ? "" : localDay(at, zone);
};

interface DayProps {
  day: string;
  isToday: boolean;
  campaigns: readonly CampaignRecord[];
  clock: Intl.DateTimeFormat;
  column: number | null;
}

const CalendarDay: FC<DayProps> = ({ day, isToday, campaigns, clock, column }) => {
  const { path } = useWorkspaceRequest();
  const classes = [
    isToday ? "today" : "",
    campaigns.length === 0 ? "free" : "",
    column === null ? "" : `from-${column}`,
  ];
  return (
    <li class={classes.filter((each) => each !== "").join(" ")}>
      <time datetime={day} class="calendar-day" data-format="none" aria-label={dayName.format(Date.parse(day))}>
        {Number(day.slice(-2))}
      </time>
      <span class="calendar-name" aria-hidden="true">
        {dayName.format(Date.parse(day))}
      </span>
      {campaigns.map((campaign) => {
        const { id, name, status } = campaign;
        const at = calendarTime(campaign);
        const state = campaignStatusLabels[status];
        return (
          <a
            href={path(`/campaigns/${id}`)}
            class={`calendar-entry ${status}`}
            title={`${name} (${state.label.toLowerCase()})`}
            dir="auto"
          >
            <span>{at === null ? "" : clock.format(at)}</span> {name}{" "}
            {status !== "scheduled" && <StateBadge state={state} />}
          </a>
        );
      })}
    </li>
  );
};

const MonthGrid: FC<{ month: Month; today: string; zone: string; campaigns: readonly CampaignRecord[] }> = ({
  month,
  today,
  zone,
  campaigns,
}) => {
  const byDay = Map.groupBy(campaigns, (campaign) => dayOf(campaign, zone));
  const clock = timeFormat({ timeStyle: "short" }, zone);
  return (
    <>
      <div class="calendar-weekdays" aria-hidden="true">
        {WEEKDAYS.map((name) => (
          <span>{name.slice(0, 3)}</span>
        ))}
      </div>
      <ol class="calendar">
        {month.days.map((day, at) => (
          <CalendarDay
            day={day}
            isToday={day === today}
            campaigns={byDay.get(day) ?? []}
            clock={clock}
            column={at === 0 ? month.firstWeekday : null}
          />
        ))}
      </ol>
    </>
  );
};

campaignCalendarPages.get(
  "/campaigns/calendar",
  { query: calendarQuery },
  async ({ ctx, path, workspace }, { query }) => {
    const { time_zone: zone } = workspace;
    const today = localDay(ctx.now(), zone);
    const chosen = query.month ?? today.slice(0, 7);
    const month = monthOf(chosen);
    const found = await listCalendar(ctx, month.from, month.to);
    const campaigns = found.filter((campaign) => dayOf(campaign, zone).startsWith(chosen));
    const at = (to: string) => path(`/campaigns/calendar?month=${to}`);
    return (
      <Page
        title={monthName.format(Date.parse(`${chosen}-01`))}
        trail={[{ text: "Campaigns", href: path("/campaigns") }]}
        actions={
          <>
            {chosen !== today.slice(0, 7) && <ButtonLink href={path(`/campaigns/calendar`)}>Today</ButtonLink>}
            <ButtonLink href={at(month.previous)}>Earlier</ButtonLink>
            <ButtonLink href={at(month.next)}>Later</ButtonLink>
            <ButtonLink href={path(`/campaigns/new`)} kind="primary">
              New campaign
            </ButtonLink>
          </>
        }
      >
        <p class="help">
          {campaigns.length === 0
            ? "No campaigns this month. Started and scheduled campaigns appear here."
            : `${formatCount(campaigns.length, "campaign")} this month.`}{" "}
          Times are in {formatTimeZone(zone)}, the workspace's time zone.
        </p>
        <MonthGrid month={month} today={today} zone={zone} campaigns={campaigns} />
      </Page>
    );
  },
);
