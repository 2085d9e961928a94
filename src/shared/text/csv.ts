const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/u;

/** Some programs write text as a formula, because spreadsheets would otherwise convert it. */
const TEXT_FORMULA = /^="([^"]*)"$/;

export const guardCell = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell);

export function unguardCell(cell: string): string {
  if (cell.startsWith("'") && FORMULA.test(cell)) return cell.slice(1);
  return TEXT_FORMULA.exec(cell)?.[1] ?? cell;
}

export const quoteCell = (text: string) => `"${text.replaceAll('"', '""')}"`;

const csvCell = (text: string) => (/[",;\t\r\n]/.test(text) ? quoteCell(text) : text);

export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(",")}\r\n`;

/** Spreadsheets recognize UTF-8 by this mark. */
export const BOM = "\ufeff";
