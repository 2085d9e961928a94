import { env } from "cloudflare:workers";

/** What is shown of a part; rows end with the budget and whether it is met. */
export class Table {
  private readonly rows: string[][] = [];

  constructor(
    private readonly title: string,
    private readonly columns: string[],
    /** Why rows may be over their budgets, by what their first cells say. */
    private readonly reasons: Record<string, string> = {},
  ) {}

  /** `met` is null where there is no budget. */
  add(cells: (string | number)[], budget: string, met: boolean | null): void {
    this.rows.push([...cells.map(String), budget, met === null ? "" : met ? "ok" : "OVER"]);
  }

  /** Hands it to the runner, which prints it and fails when a budget is exceeded. */
  async show(): Promise<void> {
    const { title, rows, reasons } = this;
    const table = { title, columns: [...this.columns, "budget", ""], rows, reasons };
    await env.BENCH.fetch("http://bench/report", { method: "POST", body: JSON.stringify(table) });
  }
}

/** CPU that workerd has used so far, in ms. */
export async function cpuMs(): Promise<number> {
  const { ms } = await (await env.BENCH.fetch("http://bench/cpu")).json<{ ms: number }>();
  return ms;
}

/** The most contacts that a workspace is to be filled with. */
export async function contactsWanted(): Promise<number> {
  return (await (await env.BENCH.fetch("http://bench/size")).json<{ contacts: number }>()).contacts;
}
