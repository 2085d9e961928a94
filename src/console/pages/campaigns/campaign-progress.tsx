// How far a campaign has come, in a bar, a chart and numbers.
import type { FC } from "hono/jsx";
import { numeral } from "./campaign-parts.tsx";
import { ORDER, type RecipientState, states } from "./campaign-words.ts";

type Counts = Record<RecipientState, number>;

/** Of whom it is known what became of them. */
export const doneOf = (counts: Counts): number =>
  ORDER.reduce((sum, state) => sum + (state === "pending" ? 0 : counts[state]), 0);

export const Bar: FC<{ label: string; done: number; total: number }> = ({ label, done, total }) => (
  <progress aria-label={label} value={done} max={Math.max(total, done, 1)} />
);

/** In a line, without what is not there. */
export const CountsInWords: FC<{ counts: Counts }> = ({ counts }) => {
  const said = ORDER.filter((state) => state !== "pending" && counts[state] > 0);
  return (
    <span class="help">
      {said.length === 0
        ? "nothing yet"
        : said.map((state) => `${numeral(counts[state])} ${states[state].label.toLowerCase()}`).join(" · ")}
    </span>
  );
};

const percentOf = (part: number, total: number) => (total === 0 ? 0 : (100 * part) / total);

const percentInWords = (part: number, total: number): string => {
  const percent = percentOf(part, total);
  return part > 0 && percent < 0.1 ? "under 0.1 %" : `${percent.toFixed(percent === 0 || percent >= 10 ? 0 : 1)} %`;
};

/** A bar of as many colours as there are states; the table below it says the same in numbers. */
const Chart: FC<{ counts: Counts; total: number }> = ({ counts, total }) => {
  let from = 0;
  const pieces = ORDER.map((state) => {
    const [x, width] = [from, percentOf(counts[state], total)];
    from += width;
    return { state, x, width };
  }).filter(({ width }) => width > 0);
  const said = pieces.map(({ state }) => `${states[state].label} ${percentInWords(counts[state], total)}`).join(", ");
  return (
    <svg class="states" width="100%" height="22" role="img" aria-label={said === "" ? "Nobody yet" : said}>
      <rect class="pending" width="100%" height="22" />
      {pieces.map(({ state, x, width }) => (
        <rect class={state} x={`${x.toFixed(2)}%`} width={`${width.toFixed(2)}%`} height="22">
          <title>{`${states[state].label}: ${numeral(counts[state])}`}</title>
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

/** Recipients by state: a chart, and a table whose rows lead to the recipients. */
export const StatesChart: FC<{ counts: Counts; hrefOf(state: RecipientState): string }> = ({ counts, hrefOf }) => {
  const total = ORDER.reduce((sum, state) => sum + counts[state], 0);
  return (
    <>
      <Chart counts={counts} total={total} />
      <table class="states-table">
        <caption class="unseen">Recipients by the furthest that their message has come</caption>
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
          {ORDER.map((state) => (
            <tr>
              <th scope="row">
                <Swatch state={state} /> {states[state].label} <span class="help">{states[state].meaning}</span>
              </th>
              <td class="end">
                {counts[state] === 0 ? (
                  "0"
                ) : (
                  <a href={hrefOf(state)} id={`state-${state}`}>
                    {numeral(counts[state])}
                  </a>
                )}
              </td>
              <td class="end">{percentInWords(counts[state], total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
};
