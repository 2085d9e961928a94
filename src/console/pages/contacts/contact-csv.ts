// Writes contacts into CSV cells and reads such cells. Pure.
import { type ContactLayout, type ContactRecord, presentContact } from "../../../features/contacts/contacts.schemas.ts";
import { spacedPhone } from "../../../shared/phone.ts";
import { formatValue } from "../../kit/format.ts";

/** Spreadsheets run cells that begin like this. Leading apostrophes are those of `guardCell`, or look like them. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/u;

/** The form in which some programs write text so that spreadsheets do not convert it. */
const TEXT_FORMULA = /^="([^"]*)"$/;

/** A cell that spreadsheets do not run as a formula. */
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

/** A line of CSV (RFC 4180), with its line break. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(",")}\r\n`;

/** The byte order mark by which spreadsheets recognise UTF-8. */
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

/** The header row: the contact's own fields, then the custom ones by key. */
export const listColumns = (layout: ContactLayout): string[] => [
  ...leadingColumns,
  ...layout.map(({ key }) => key),
  ...trailingColumns,
];

/** Numbers and phones stay unguarded: they hold digits only, and spreadsheets read them as numbers. */
function formatCell(value: unknown, isPhone: boolean): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "string" && isPhone && /^\+\d+$/.test(value)) return spacedPhone(value);
  return guardCell(Array.isArray(value) ? joinList(value.map(formatValue)) : formatValue(value));
}

/** A contact as a line below that header. */
export function contactLine(record: ContactRecord, layout: ContactLayout): string {
  const contact = presentContact(record, layout);
  const shown = { ...contact, tags: contact.tags.map(({ name }) => name) };
  return csvLine([
    ...leadingColumns.map((name) => formatCell(shown[name], name === "phone")),
    ...layout.map(({ key, type }) => formatCell(contact.custom_fields[key], type === "phone")),
    ...trailingColumns.map((name) => formatCell(shown[name], false)),
  ]);
}
