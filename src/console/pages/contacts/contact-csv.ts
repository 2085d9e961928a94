import { contactFieldNames } from "../../../features/contacts/contact-fields.schemas.ts";
import { type ContactLayout, type ContactRecord, presentContact } from "../../../features/contacts/contacts.schemas.ts";
import { csvLine, guardCell, quoteCell } from "../../../shared/text/csv.ts";
import { spacedPhone } from "../../../shared/text/phone.ts";
import { formatValue } from "../../kit/format.ts";

/** Writes a list into one cell, for example `vip, "red, white"`. */
export const joinList = (values: readonly string[]): string =>
  values.map((value) => (/[,;"\n]/.test(value) ? quoteCell(value) : value)).join(", ");

const ITEM = /\s*(?:"((?:[^"]|"")*)"\s*|([^,;]*))(?:[,;]|$)/gy;

export const splitList = (cell: string): string[] =>
  Array.from(cell.matchAll(ITEM), ([, inQuotes, plain = ""]) =>
    (inQuotes?.replaceAll('""', '"') ?? plain).trim(),
  ).filter((value) => value !== "");

const leadingColumns = [...contactFieldNames, "is_unsubscribed", "marketing_opt_out", "tags"] as const;
const trailingColumns = ["created_at", "updated_at"] as const;

export const listColumns = (layout: ContactLayout): string[] => [
  ...leadingColumns,
  ...layout.map(({ key }) => key),
  ...trailingColumns,
];

/**
 * Protects cells from being read as formulas by a spreadsheet. Numbers and phone numbers need no protection,
 * because they contain only digits.
 */
function formatCell(value: unknown, isPhone: boolean): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "string" && isPhone && /^\+\d+$/.test(value)) return spacedPhone(value);
  return guardCell(Array.isArray(value) ? joinList(value.map(formatValue)) : formatValue(value));
}

export function contactLine(record: ContactRecord, layout: ContactLayout): string {
  const contact = presentContact(record, layout);
  const values = { ...contact, tags: contact.tags.map(({ name }) => name) };
  return csvLine([
    ...leadingColumns.map((name) => formatCell(values[name], name === "phone")),
    ...layout.map(({ key, type }) => formatCell(contact.custom_fields[key], type === "phone")),
    ...trailingColumns.map((name) => formatCell(values[name], false)),
  ]);
}
