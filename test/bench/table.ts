export const OVER = "OVER";

/** What is shown of a part; rows end with the budget and whether it is met. */
export interface Table {
  title: string;
  columns: string[];
  rows: string[][];
  /** Why rows may be over their budgets, by what their first cells say. */
  reasons?: Record<string, string>;
}

/** The rows that are over their budgets point to their reasons, which stand below, each once. */
export function draw({ title, columns, rows, reasons = {} }: Table): string {
  const given: string[] = [];
  const explain = (row: string[]) => {
    const reason = reasons[row[0] ?? ""];
    if (reason === undefined || row.at(-1) !== OVER) return row;
    if (!given.includes(reason)) given.push(reason);
    return [...row.slice(0, -1), `${OVER} (${given.indexOf(reason) + 1})`];
  };
  const all = [columns, ...rows.map(explain)];
  const widths = columns.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd();
  const notes = given.map((reason, index) => `${index + 1}. ${reason}`);
  return [title, "", ...all.map(line), ...(notes.length > 0 ? ["", ...notes] : []), ""].join("\n");
}
