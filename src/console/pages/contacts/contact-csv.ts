// How contacts are written into CSV cells and read from them again. Pure.
import { type ContactLayout, type ContactRecord, presentContact } from "../../../features/contacts/contacts.schemas.ts";
import { spacedPhone } from "../../../shared/phone.ts";
import { formatValue } from "../../kit/format.ts";

/** Spreadsheets run a cell that begins so. The apostrophes before it are ours, or look like it. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/u;

/** Some programs write text so that spreadsheets leave it as it is. */
const TEXT_FORMULA = /^="([^"]*)"$/;

/** A cell that no spreadsheet takes for a formula. */
const guardCell = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell);

/** The cell before it was guarded. */
export function unguardCell(cell: string): string {
  if (cell.startsWith("'") && FORMULA.test(cell)) return cell.slice(1);
  return TEXT_FORMULA.exec(cell)?.[1] ?? cell;
}

const quoteText = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Several values in a cell: `vip, "red, white"`. */
export const joinList = (values: readonly string[]): string =>
  values.map((value) => (/[,;"\n]/.test(value) ? quoteText(value) : value)).join(", ");

const ITEM = /\s*(?:"((?:[^"]|"")*)"\s*|([^,;]*))(?:[,;]|$)/gy;

/** The values of a cell, separated by commas or semicolons. */
export const splitList = (cell: string): string[] =>
  Array.from(cell.matchAll(ITEM), ([, inQuotes, plain = ""]) =>
    (inQuotes?.replaceAll('""', '"') ?? plain).trim(),
  ).filter((value) => value !== "");

const csvCell = (text: string) => (/[",;\t\r\n]/.test(text) ? quoteText(text) : text);

/** A line of CSV (RFC 4180), with its end. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(",")}\r\n`;

/** Tells spreadsheets that a file is UTF-8. */
export const BOM = "\ufeff";

const leadingColumns = [
  "name",
  "phone",
  "email",
  "company",
  "address_as",
  "status",
  "lifecycle_stage",
  "source",
  "is_unsubscribed",
  "marketing_opt_out",
  "tags",
] as const;
const trailingColumns = ["created_at", "updated_at"] as const;

/** The heads of the columns: the contact's own fields, then the custom ones by key. */
export const listColumns = (layout: ContactLayout): string[] => [
  ...leadingColumns,
  ...layout.map(({ key }) => key),
  ...trailingColumns,
];

/** Numbers and phones hold digits only, which run nothing: they are left as spreadsheets know them. */
function formatCell(value: unknown, isPhone: boolean): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "string" && isPhone && /^\+\d+$/.test(value)) return spacedPhone(value);
  return guardCell(Array.isArray(value) ? joinList(value.map(formatValue)) : formatValue(value));
}

/** A contact as a line below those heads. */
export function contactLine(record: ContactRecord, layout: ContactLayout): string {
  const contact = presentContact(record, layout);
  const shown = { ...contact, tags: contact.tags.map(({ name }) => name) };
  return csvLine([
    ...leadingColumns.map((name) => formatCell(shown[name], name === "phone")),
    ...layout.map(({ key, type }) => formatCell(contact.custom_fields[key], type === "phone")),
    ...trailingColumns.map((name) => formatCell(shown[name], false)),
  ]);
}
