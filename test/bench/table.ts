export const OVER = "OVER";

/** What is shown of a part; rows end with the budget and whether it is met. */
export interface Table {
  title: string;
  columns: string[];
  rows: string[][];
}

export function draw({ title, columns, rows }: Table): string {
  const all = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return `${title}\n\n${all.map((row) => `  ${line(row)}`.trimEnd()).join("\n")}\n`;
}
