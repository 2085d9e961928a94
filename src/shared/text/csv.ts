/** The start of cells that spreadsheets execute. Also matches after leading apostrophes, which `guardCell` adds. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/u;

/** The form in which some programs write text, so that spreadsheets do not convert it. */
const TEXT_FORMULA = /^="([^"]*)"$/;

export const guardCell = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell);

export function unguardCell(cell: string): string {
  if (cell.startsWith("'") && FORMULA.test(cell)) return cell.slice(1);
  return TEXT_FORMULA.exec(cell)?.[1] ?? cell;
}

export const quoteCell = (text: string) => `"${text.replaceAll('"', '""')}"`;

const csvCell = (text: string) => (/[",;\t\r\n]/.test(text) ? quoteCell(text) : text);

/** A line of CSV (RFC 4180), with its line break. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(",")}\r\n`;

/** The byte order mark by which spreadsheets recognize UTF-8. */
export const BOM = "\ufeff";
