/** The start of cells that spreadsheets execute. `guardCell` adds an apostrophe, so leading apostrophes also match. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/u;

/** Some programs write text as a formula, so that spreadsheets do not convert it. */
const TEXT_FORMULA = /^="([^"]*)"$/;

export const guardCell = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell);

export function unguardCell(cell: string): string {
  if (cell.startsWith("'") && FORMULA.test(cell)) return cell.slice(1);
  return TEXT_FORMULA.exec(cell)?.[1] ?? cell;
}

export const quoteCell = (text: string) => `"${text.replaceAll('"', '""')}"`;

const csvCell = (text: string) => (/[",;\t\r\n]/.test(text) ? quoteCell(text) : text);

/** Returns a line of CSV (RFC 4180) with its line break. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(",")}\r\n`;

/** Spreadsheets recognize UTF-8 by the byte order mark. */
export const BOM = "\ufeff";
