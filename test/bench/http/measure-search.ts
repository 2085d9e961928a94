// Compares the rate of a name search with the rate of a list. The turns are long, because the first requests after a
// garbage collection mostly measure compilation.
import { OVER, type Table } from "../table.ts";
import { LIST, NAME_SEARCH, type ProductCall } from "./calls.ts";
import { drive } from "./load.ts";

const ROUNDS = 5;
const REQUESTS_A_TURN = 500;
/** The lowest rate of the search, as a share of the rate of the list. */
const MIN_SHARE = 0.75;

export async function measureSearch(
  calls: readonly ProductCall[],
  connectionCounts: readonly number[],
): Promise<Table> {
  const compared = [LIST, NAME_SEARCH].flatMap((wanted) => calls.filter(({ name }) => name === wanted));
  const rows: string[][] = [];
  for (const connections of connectionCounts) {
    const elapsed = compared.map(() => 0);
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [index, { next }] of compared.entries()) {
        const startedAt = performance.now();
        await drive(next, { connections, requests: REQUESTS_A_TURN });
        // The first round warms up.
        if (round > 0) elapsed[index] = (elapsed[index] ?? 0) + performance.now() - startedAt;
      }
    }
    const [list = NaN, search = NaN] = elapsed.map((ms) => (1000 * ROUNDS * REQUESTS_A_TURN) / ms);
    const share = search / list;
    const figures = [list.toFixed(0), search.toFixed(0), share.toFixed(2)];
    rows.push([String(connections), ...figures, `≥ ${MIN_SHARE}`, share >= MIN_SHARE ? "ok" : OVER]);
  }
  const columns = ["connections", LIST, NAME_SEARCH, "share", "budget", ""];
  return { title: "Requests a second of a list and of a name search, in turns", columns, rows };
}
