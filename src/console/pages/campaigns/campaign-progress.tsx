import type { FC } from "hono/jsx";
import type { CampaignRecord } from "../../../features/campaigns/campaigns.schemas.ts";
import { STATE_ORDER, type RecipientState, recipientStateLabels } from "./campaign-labels.ts";
import { formatNumber, formatShare } from "../../kit/format.ts";

type Counts = Record<RecipientState, number>;

const hasEnded = (status: CampaignRecord["status"]) => status === "cancelled" || status === "completed";

export const countDone = (counts: Counts, status: CampaignRecord["status"]): number =>
  STATE_ORDER.filter((state) => state !== "pending" && (state !== "skipped" || !hasEnded(status))).reduce(
    (sum, state) => sum + counts[state],
    0,
  );

export function describeDone(counts: Counts, status: CampaignRecord["status"]): string {
  if (status === "cancelled") return "sent before it was cancelled";
  if (status === "completed" && counts.skipped > 0) return `sent, ${formatNumber(counts.skipped)} skipped`;
  return "done";
}

export const ProgressBar: FC<{ label: string; done: number; total: number }> = ({ label, done, total }) => (
  <progress aria-label={label} value={done} max={Math.max(total, done, 1)} />
);

export const CountsSummary: FC<{ counts: Counts }> = ({ counts }) => {
  const reached = STATE_ORDER.filter((state) => state !== "pending" && counts[state] > 0);
  return (
    <span class="help">
      {reached.length === 0
        ? "nothing yet"
        : reached
            .map((state) => `${formatNumber(counts[state])} ${recipientStateLabels[state].label.toLowerCase()}`)
            .join(" · ")}
    </span>
  );
};

const Chart: FC<{ counts: Counts; total: number }> = ({ counts, total }) => {
  let from = 0;
  const pieces = STATE_ORDER.map((state) => {
    const [x, width] = [from, total === 0 ? 0 : (100 * counts[state]) / total];
    from += width;
    return { state, x, width };
  }).filter(({ width }) => width > 0);
  const label = pieces
    .map(({ state }) => `${recipientStateLabels[state].label} ${formatShare(counts[state], total)}`)
    .join(", ");
  return (
    <svg class="states" width="100%" height="22" role="img" aria-label={label === "" ? "No recipients yet" : label}>
      <rect class="pending" width="100%" height="22" />
      {pieces.map(({ state, x, width }) => (
        <rect class={state} x={`${x.toFixed(2)}%`} width={`${width.toFixed(2)}%`} height="22">
          <title>{`${recipientStateLabels[state].label}: ${formatNumber(counts[state])}`}</title>
        </rect>
      ))}
    </svg>
  );
};

const Swatch: FC<{ state: RecipientState }> = ({ state }) => (
  <svg class="states swatch" width="12" height="12" aria-hidden="true">
    <rect class={state} width="12" height="12" />
  </svg>
);

export const StatesChart: FC<{ counts: Counts; hrefOf(state: RecipientState): string }> = ({ counts, hrefOf }) => {
  const total = STATE_ORDER.reduce((sum, state) => sum + counts[state], 0);
  return (
    <>
      <Chart counts={counts} total={total} />
      <table class="states-table">
        <caption class="unseen">Recipients by message status</caption>
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col" class="end">
              People
            </th>
            <th scope="col" class="end">
              Share
            </th>
          </tr>
        </thead>
        <tbody>
          {STATE_ORDER.map((state) => (
            <tr>
              <th scope="row">
                <Swatch state={state} /> {recipientStateLabels[state].label}{" "}
                <span class="help">{recipientStateLabels[state].meaning}</span>
              </th>
              <td class="end">
                {counts[state] === 0 ? (
                  "0"
                ) : (
                  <a href={hrefOf(state)} id={`state-${state}`}>
                    {formatNumber(counts[state])}
                  </a>
                )}
              </td>
              <td class="end">{formatShare(counts[state], total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
};
