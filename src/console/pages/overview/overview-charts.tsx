import type { FC } from "hono/jsx";
import {
  addCounts,
  ANSWER_SECONDS,
  type AnsweredBy,
  answerCountName,
  answerPercentile,
  countAnswers,
  type NamedCounts,
} from "../../../features/statistics/statistics.counts.ts";
import type { DayOfStatistics } from "../../../features/statistics/statistics.service.ts";
import { BarChart, type ChartSeries, type ChartStep } from "../../kit/charts/bar-chart.tsx";
import { Facts, Section } from "../../kit/feedback.tsx";
import { formatDuration, formatNumber, timeFormat } from "../../kit/format.ts";
import { usePathTo } from "../../kit/page/optional-link.tsx";

const MAX_STEPS = 31;
const DAYS_PER_WEEK = 7;

const shortDay = timeFormat({ day: "numeric", month: "short" });
const wholeDay = timeFormat({ weekday: "short", day: "numeric", month: "short" });

const total = (days: readonly DayOfStatistics[]): NamedCounts => addCounts(...days.map(({ counts }) => counts));

function stepsOf(days: readonly DayOfStatistics[]): { label: string; title: string; counts: NamedCounts }[] {
  if (days.length <= MAX_STEPS)
    return days.map(({ day, counts }) => ({
      label: shortDay.format(Date.parse(day)),
      title: wholeDay.format(Date.parse(day)),
      counts,
    }));
  const first = days.length % DAYS_PER_WEEK;
  const starts = [
    ...(first > 0 ? [0] : []),
    ...days.keys().filter((n) => n >= first && (n - first) % DAYS_PER_WEEK === 0),
  ];
  return starts.map((start, n) => {
    const week = days.slice(start, starts[n + 1]);
    const [from, to] = [week[0]?.day ?? "", week.at(-1)?.day ?? ""].map((day) => shortDay.format(Date.parse(day)));
    return { label: from ?? "", title: `${from} to ${to}`, counts: total(week) };
  });
}

type CountedSeries = ChartSeries & { names: readonly string[] };

const stepsWith = (days: readonly DayOfStatistics[], series: readonly CountedSeries[]): ChartStep[] =>
  stepsOf(days).map(({ label, title, counts }) => ({
    label,
    title,
    values: series.map(({ names }) => names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0)),
  }));

interface CountChartProps {
  title: string;
  id: string;
  types: string;
  series: readonly CountedSeries[];
  none: string;
  help?: string;
  stacked?: boolean;
}

const countCharts: readonly CountChartProps[] = [
  {
    title: "Messages",
    id: "messages",
    types: "message.received,message.sent",
    series: [
      { key: "received", label: "Received", names: ["message.received"] },
      { key: "sent", label: "Sent individually", names: ["message.sent"] },
      { key: "campaign", label: "Sent by campaigns", names: ["campaign.sent"] },
    ],
    none: "No messages in this period.",
    stacked: true,
  },
  {
    title: "Delivered, read and failed",
    id: "outcomes",
    types: "message.delivered,message.read,message.failed",
    series: [
      { key: "delivered", label: "Delivered", names: ["message.delivered", "campaign.delivered"] },
      { key: "read", label: "Read", names: ["message.read", "campaign.read"] },
      { key: "failed", label: "Failed", names: ["message.failed", "campaign.failed"] },
    ],
    none: "No delivery reports in this period.",
  },
  {
    title: "Opt-outs",
    id: "opt-outs",
    types: "contact.opted_out,contact.opted_in",
    series: [
      { key: "opted-out", label: "Unsubscribed", names: ["contact.opted_out"] },
      { key: "opted-in", label: "Resubscribed", names: ["contact.opted_in"] },
    ],
    none: "Nobody unsubscribed in this period.",
  },
  {
    title: "Conversations",
    id: "conversations",
    types: "conversation.opened,conversation.done",
    series: [
      { key: "opened", label: "Opened", names: ["conversation.opened"] },
      { key: "done", label: "Done", names: ["conversation.done"] },
    ],
    none: "No conversations opened or closed in this period.",
    help: "Every change counts, also a change that was undone later.",
  },
];

function isEmpty(days: readonly DayOfStatistics[], series: readonly CountedSeries[]): boolean {
  const counts = total(days);
  return series.every(({ names }) => names.every((name) => (counts.get(name) ?? 0) === 0));
}

const stepLabel = (days: readonly DayOfStatistics[]) => (days.length > MAX_STEPS ? "Week" : "Day");

interface DaysProps {
  days: readonly DayOfStatistics[];
}

const EventsLink: FC<{ types: string }> = ({ types }) => {
  const to = usePathTo()("/settings/events", `?types=${encodeURIComponent(types)}`);
  return to === null ? null : <a href={to}>View events</a>;
};

const CountChart: FC<DaysProps & CountChartProps> = ({
  title,
  id,
  types,
  days,
  series,
  none,
  help,
  stacked = false,
}) => (
  <Section title={title} id={id} help={help} actions={<EventsLink types={types} />}>
    {isEmpty(days, series) ? (
      <p class="help">{none}</p>
    ) : (
      <BarChart
        title={title}
        series={series}
        steps={stepsWith(days, series)}
        stacked={stacked}
        stepLabel={stepLabel(days)}
      />
    )}
  </Section>
);

export const CountCharts: FC<DaysProps> = ({ days }) => (
  <>
    {countCharts.map((chart) => (
      <CountChart {...chart} days={days} />
    ))}
  </>
);

const PEOPLE: ChartSeries = { key: "sent", label: "By people" };
const SOFTWARE: ChartSeries = { key: "received", label: "By software" };

const describeAnswers = (counts: NamedCounts, by: AnsweredBy): string => {
  const [median, most] = [0.5, 0.9].map((share) => answerPercentile(counts, by, share));
  if (typeof median !== "number" || typeof most !== "number") return "None";
  return `half within ${formatDuration(median)}, 90% within ${formatDuration(most)}`;
};

export const AnswerTimes: FC<DaysProps> = ({ days }) => {
  const counts = total(days);
  const kinds = (["people", "software"] as const).filter((by) => countAnswers(counts, by) > 0);
  if (kinds.length === 0) return null;
  const steps = [...ANSWER_SECONDS, Infinity].map((seconds, range) => ({
    label: seconds === Infinity ? "longer" : formatDuration(seconds),
    title: seconds === Infinity ? "Longer" : `Up to ${formatDuration(seconds)}`,
    values: kinds.map((by) => counts.get(answerCountName(by, range)) ?? 0),
  }));
  return (
    <Section
      title="Response times"
      id="response-times"
      help="Time from the first unanswered message to the first reply."
    >
      <Facts
        facts={kinds.map((by) => [
          `${formatNumber(countAnswers(counts, by))} ${by === "people" ? "by people" : "by software"}`,
          describeAnswers(counts, by),
        ])}
      />
      <BarChart
        title="Replies by response time"
        series={kinds.map((by) => (by === "people" ? PEOPLE : SOFTWARE))}
        steps={steps}
        stacked
        stepLabel="Within"
      />
    </Section>
  );
};
