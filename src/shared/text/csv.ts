const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/u;

/** Some programs export text as a formula (`="0123"`), so that spreadsheets do not convert it to a number. */
const TEXT_FORMULA = /^="([^"]*)"$/;

export const guardCell = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell);

export function unguardCell(cell: string): string {
  if (cell.startsWith("'") && FORMULA.test(cell)) return cell.slice(1);
  return TEXT_FORMULA.exec(cell)?.[1] ?? cell;
}

export const quoteCell = (text: string) => `"${text.replaceAll('"', '""')}"`;

const csvCell = (text: string) => (/[",;\t\r\n]/.test(text) ? quoteCell(text) : text);

export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(",")}\r\n`;

/** A file that starts with this mark is read as UTF-8 by spreadsheets. */
export const BOM = "\ufeff";
