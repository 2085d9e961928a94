export const OVER = "OVER";

/** The report of one part. Each row ends with its budget, and whether it is met. */
export interface Table {
  title: string;
  columns: string[];
  rows: string[][];
  /** Reasons why rows can exceed their budgets, by the text of the first cell. */
  reasons?: Record<string, string>;
}

/** Formats the table. A row over its budget has a footnote with the reason. */
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
