// Messages per day as stacked bars, drawn on the server, and as a table.
import type { FC } from "hono/jsx";
import type { DayOfMessages } from "../../../features/messages/count-messages.ts";
import { formatNumber } from "../../kit/format.ts";
import { Table } from "../../kit/tables.tsx";

type State = keyof DayOfMessages["counts"];

/** The parts of a bar from bottom to top. The class sets their colour. */
const STATES: readonly { state: State; label: string }[] = [
  { state: "received", label: "Received" },
  { state: "read", label: "Read" },
  { state: "delivered", label: "Delivered" },
  { state: "sent", label: "Sent" },
  { state: "queued", label: "Queued" },
  { state: "unknown", label: "Unknown" },
  { state: "failed", label: "Failed" },
];

const HEIGHT = 200;
/** The height of the day labels below the bars, and of the space above them. */
const BELOW = 22;
const ABOVE = 16;

const dayOfMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", timeZone: "UTC" });
const shortDay = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const wholeDay = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

export const countTotal = ({ counts }: DayOfMessages): number =>
  STATES.reduce((sum, { state }) => sum + counts[state], 0);

/** Rounds up, so that the lines of the chart stand at round numbers. */
function axisMaximum(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(4, most)));
  const step = [1, 2, 4, 5, 10].find((factor) => factor * power >= most) ?? 10;
  return Math.max(4, step * power);
}

const summariseDay = (day: DayOfMessages): string => {
  const parts = STATES.filter(({ state }) => day.counts[state] > 0);
  const counts = parts.map(({ state, label }) => `${formatNumber(day.counts[state])} ${label.toLowerCase()}`);
  return `${wholeDay.format(day.at)}: ${counts.join(", ") || "no messages"}`;
};

/** One day's bar in a slot of the chart, `scale` pixels a message. */
const Bar: FC<{ day: DayOfMessages; left: number; slot: number; scale: number; isPartial: boolean }> = ({
  day,
  left,
  slot,
  scale,
  isPartial,
}) => {
  let top = HEIGHT - BELOW;
  return (
    <g class={isPartial ? "partial" : undefined}>
      <title>{summariseDay(day)}</title>
      <rect class="slot" x={`${left}%`} y="0" width={`${slot}%`} height={HEIGHT} />
      {STATES.filter(({ state }) => day.counts[state] > 0).map(({ state }) => {
        const height = Math.max(1, day.counts[state] * scale);
        top -= height;
        return (
          <rect class={`bar-${state}`} x={`${left + slot * 0.15}%`} y={top} width={`${slot * 0.7}%`} height={height} />
        );
      })}
    </g>
  );
};

interface ChartProps {
  days: readonly DayOfMessages[];
  /** The start of the first day that is fully counted. */
  completeFrom: number;
}

const Chart: FC<ChartProps> = ({ days, completeFrom }) => {
  const ceiling = axisMaximum(Math.max(...days.map(countTotal)));
  const scale = (HEIGHT - BELOW - ABOVE) / ceiling;
  const slot = 100 / days.length;
  return (
    <svg class="chart" width="100%" height={HEIGHT} role="img" aria-labelledby="chart-title chart-text">
      <title id="chart-title">Messages per day</title>
      <desc id="chart-text">
        {days
          .filter((day) => countTotal(day) > 0)
          .map(summariseDay)
          .join("; ")}
      </desc>
      {[ceiling, ceiling / 2].map((value) => {
        const y = HEIGHT - BELOW - value * scale;
        return (
          <g>
            <line x1="0" x2="100%" y1={y} y2={y} />
            <text x="0" y={y - 4}>
              {formatNumber(value)}
            </text>
          </g>
        );
      })}
      {days.map((day, index) => (
        <Bar day={day} left={index * slot} slot={slot} scale={scale} isPartial={day.at < completeFrom} />
      ))}
      <line x1="0" x2="100%" y1={HEIGHT - BELOW} y2={HEIGHT - BELOW} />
      {days.map(({ at }, index) => (
        <text class="day-name" x={`${(index + 0.5) * slot}%`} y={HEIGHT - 6} text-anchor="middle">
          {dayOfMonth.format(at)}
        </text>
      ))}
    </svg>
  );
};

/** The chart, its legend, and its numbers as a table. */
export const MessagesPerDay: FC<ChartProps> = ({ days, completeFrom }) => {
  const [first] = days;
  const last = days.at(-1);
  const shown = STATES.filter(({ state }) => days.some(({ counts }) => counts[state] > 0));
  const isCut = first !== undefined && completeFrom > first.at;
  return (
    <figure class="messages-per-day">
      <Chart days={days} completeFrom={completeFrom} />
      <figcaption>
        <ul class="legend">
          {shown.map(({ state, label }) => (
            <li>
              <svg width="12" height="12" aria-hidden="true">
                <rect class={`bar-${state}`} width="12" height="12" rx="2" />
              </svg>
              {label}
            </li>
          ))}
        </ul>
        <p class="help">
          {first !== undefined &&
            last !== undefined &&
            `${shortDay.format(first.at)} to ${shortDay.format(last.at)}, in UTC. `}
          Campaigns count on the day they began.
          {isCut &&
            ` There are so many messages that those before ${shortDay.format(completeFrom)} are only partly counted.`}
        </p>
      </figcaption>
      <details>
        <summary>Show as a table</summary>
        <Table
          caption="Messages per day by state"
          rows={days.toReversed()}
          columns={[
            {
              label: "Day",
              cell: ({ at }) => `${wholeDay.format(at)}${at < completeFrom ? ", in part" : ""}`,
            },
            ...shown.map(({ state, label }) => ({
              label,
              align: "end" as const,
              cell: ({ counts }: DayOfMessages) => formatNumber(counts[state]),
            })),
          ]}
        />
      </details>
    </figure>
  );
};
