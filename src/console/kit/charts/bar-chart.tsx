import type { Child, FC } from "hono/jsx";
import { formatNumber } from "../format.ts";
import { Table } from "../tables.tsx";

/** The class `chart-<key>` in charts.css has the colour of the series. */
export interface ChartSeries {
  key: string;
  label: string;
}

export interface ChartStep {
  label: Child;
  title: string;
  values: readonly number[];
  href?: string;
}

interface BarChartProps {
  title: string;
  series: readonly ChartSeries[];
  steps: readonly ChartStep[];
  stacked?: boolean;
  stepLabel?: string;
}

const HEIGHT = 120;
const STEP = 100;
const GAP = 16;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const Bars: FC<{ step: ChartStep; at: number; top: number } & Pick<BarChartProps, "series" | "stacked">> = ({
  step,
  at,
  top,
  series,
  stacked = false,
}) => {
  const width = (STEP - GAP) / (stacked ? 1 : series.length);
  let below = 0;
  const bars = series.map(({ key }, index) => {
    const height = (HEIGHT * (step.values[index] ?? 0)) / top;
    const x = at * STEP + GAP / 2 + (stacked ? 0 : index * width);
    const y = HEIGHT - height - (stacked ? below : 0);
    below += height;
    return height === 0 ? null : (
      <rect
        class={`chart-${key}`}
        x={x.toFixed(1)}
        y={y.toFixed(2)}
        width={width.toFixed(1)}
        height={height.toFixed(2)}
      />
    );
  });
  const numbers = series.map(({ label }, index) => `${label} ${formatNumber(step.values[index] ?? 0)}`).join(", ");
  const drawn = (
    <>
      <rect class="chart-step" x={at * STEP} width={STEP} height={HEIGHT} />
      {bars}
      <title>{`${step.title}: ${numbers}`}</title>
    </>
  );
  return step.href === undefined ? (
    <g>{drawn}</g>
  ) : (
    <a href={step.href} tabindex={-1} aria-hidden="true">
      {drawn}
    </a>
  );
};

const Axis: FC<{ steps: readonly ChartStep[] }> = ({ steps }) => {
  const { every, labelled } = labelledSteps(steps.length);
  const percent = (count: number) => `${((100 * count) / steps.length).toFixed(2)}%`;
  return (
    <svg class="chart-axis" width="100%" height="20" aria-hidden="true">
      {labelled.map((at) => (
        <foreignObject x={percent(at)} width={percent(every)} height="20">
          {steps[at]?.label}
        </foreignObject>
      ))}
    </svg>
  );
};

const ChartLegend: FC<{ series: readonly ChartSeries[]; totals?: readonly number[] }> = ({ series, totals }) => (
  <ul class="chart-legend">
    {series.map(({ key, label }, index) => (
      <li>
        <svg width="10" height="10" aria-hidden="true">
          <rect class={`chart-${key}`} width="10" height="10" rx="2" />
        </svg>
        {label}
        {totals !== undefined && <strong>{formatNumber(totals[index] ?? 0)}</strong>}
      </li>
    ))}
  </ul>
);

export const BarChart: FC<BarChartProps> = ({ title, series, steps, stacked = false, stepLabel = "Time" }) => {
  const top = roundedTop(Math.max(0, ...steps.map(({ values }) => (stacked ? sum(values) : Math.max(0, ...values)))));
  const totals = series.map((_, index) => sum(steps.map(({ values }) => values[index] ?? 0)));
  const width = steps.length * STEP;
  return (
    <figure class="bar-chart" aria-label={title}>
      <ChartLegend series={series} totals={totals} />
      <div class="chart-plot">
        <span class="chart-top" aria-hidden="true">
          {formatNumber(top)}
        </span>
        <svg viewBox={`0 0 ${Math.max(1, width)} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={title}>
          {steps.map((step, at) => (
            <Bars step={step} at={at} top={top} series={series} stacked={stacked} />
          ))}
        </svg>
        <Axis steps={steps} />
      </div>
      <details class="chart-numbers">
        <summary>Numbers</summary>
        <Table
          caption={title}
          rows={steps}
          columns={[
            {
              label: stepLabel,
              cell: ({ label, href }) => (href === undefined ? label : <a href={href}>{label}</a>),
            },
            ...series.map(({ label }, index) => ({
              label,
              align: "end" as const,
              cell: ({ values }: ChartStep) => formatNumber(values[index] ?? 0),
            })),
          ]}
        />
      </details>
    </figure>
  );
};

export function roundedTop(most: number): number {
  if (most <= 5) return Math.max(1, most);
  const magnitude = 10 ** Math.floor(Math.log10(most));
  return magnitude * ([1, 2, 5, 10].find((factor) => factor * magnitude >= most) ?? 10);
}

const MAX_LABELS = 5;

export function labelledSteps(steps: number): { every: number; labelled: number[] } {
  const every = Math.max(1, Math.ceil(steps / MAX_LABELS));
  return { every, labelled: Array.from({ length: Math.floor(steps / every) }, (_, index) => index * every) };
}
