const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/u;

/** Some programs export a text as a formula (`="0123"`), which stops spreadsheets from converting it to a number. */
const TEXT_FORMULA = /^="([^"]*)"$/;

export const guardCell = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell);

export function unguardCell(cell: string): string {
  if (cell.startsWith("'") && FORMULA.test(cell)) return cell.slice(1);
  return TEXT_FORMULA.exec(cell)?.[1] ?? cell;
}

export const quoteCell = (text: string) => `"${text.replaceAll('"', '""')}"`;

const csvCell = (text: string) => (/[",;\t\r\n]/.test(text) ? quoteCell(text) : text);

export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(",")}\r\n`;

/** A byte order mark. Spreadsheets read a file as UTF-8 only if it starts with this mark. */
export const BOM = "\ufeff";
