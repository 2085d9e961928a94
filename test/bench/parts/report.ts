import { env } from "cloudflare:workers";

/** The report of one part. Each row ends with its budget, and whether it is met. */
export class Table {
  private readonly rows: string[][] = [];

  constructor(
    private readonly title: string,
    private readonly columns: string[],
    /** Reasons why rows can exceed their budgets, by the text of the first cell. */
    private readonly reasons: Record<string, string> = {},
  ) {}

  /** `met` is null if the row has no budget. */
  add(cells: (string | number)[], budget: string, met: boolean | null): void {
    this.rows.push([...cells.map(String), budget, met === null ? "" : met ? "ok" : "OVER"]);
  }

  /** Sends the table to the runner. The runner prints it, and fails if a row is over its budget. */
  async show(): Promise<void> {
    const { title, rows, reasons } = this;
    const table = { title, columns: [...this.columns, "budget", ""], rows, reasons };
    await env.BENCH.fetch("http://bench/report", { method: "POST", body: JSON.stringify(table) });
  }
}

/** CPU time of workerd so far, in ms. */
export async function cpuMs(): Promise<number> {
  const { ms } = await (await env.BENCH.fetch("http://bench/cpu")).json<{ ms: number }>();
  return ms;
}

/** The number of contacts for the largest workspace. */
export async function contactsWanted(): Promise<number> {
  return (await (await env.BENCH.fetch("http://bench/size")).json<{ contacts: number }>()).contacts;
}
