import { contactFields, isContactField } from "../../../features/contacts/contact-fields.schemas.ts";
import type { CustomFieldRecord } from "../../../features/custom-fields/custom-fields.schemas.ts";
import { examplePhone } from "../../../shared/text/example-phone.ts";
import { cut } from "../../../shared/text/text.ts";
import { readFaults, type ErrorFields } from "../../kit/forms/faults.ts";
import { countryName } from "../contacts/contact-fields.tsx";
import { CUSTOM_FIELD_PREFIX, listTargets, LEFT_OUT } from "./import-columns.ts";
import { type DateOrder, isAmbiguous, readDate, readDateTime } from "./import-dates.ts";
import type { ImportCell, ImportPlan } from "./import-settings.tsx";
import { parseContactRow } from "../../../features/contacts/contacts.schemas.ts";
import type { UpsertInput } from "../../../features/contacts/upsert/upsert-contacts.ts";
import { checkCustomFieldValues } from "../../../features/custom-fields/custom-fields.values.ts";
import type { Fault } from "../../../shared/errors.ts";
import { hasOwn } from "../../../shared/security/own.ts";
import { parsePhoneIn } from "../../../shared/text/phone.ts";
import { unguardCell } from "../../../shared/text/csv.ts";
import { splitList } from "../contacts/contact-csv.ts";

const MAX_QUOTED = 60;
const MAX_OPTIONS = 8;

const NO_ADDRESS = "No phone or email.";

const listed = (options: readonly string[]) =>
  options.slice(0, MAX_OPTIONS).join(", ") + (options.length > MAX_OPTIONS ? " …" : "");

/**
 * Contains an example of a valid number only if the user chose a country, because an example from another
 * country would mislead.
 */
function describePhone(text: string, { country }: ImportPlan): string {
  if (/^\d[.,]\d+e\+?\d+$/i.test(text))
    return "is a number shortened by a spreadsheet; its last digits are lost. Format the column as text, and enter the number again.";
  if (country === "")
    return "is not a phone number. Add the country code, + first, or select the country for numbers without a code.";
  const example = examplePhone(country);
  const name = countryName(country);
  if (example === null) return `is not a phone number. Use the national format of ${name}, or add the country code.`;
  return `is not a phone number. Use the national format of ${name}, like ${example.national}, or add the country code, like ${example.international}.`;
}

function describeDate(text: string, example: string, order: DateOrder | null): string {
  if (order === null && isAmbiguous(text)) return "is ambiguous. Choose whether the day or the month comes first.";
  if (/^\d{1,2}[-./]\d{1,2}[-./]\d{2}$/.test(text)) return "is not a date. Use a four-digit year.";
  return `is not a valid date. Check the order of day and month, and write it like ${example}.`;
}

function describeCustomField({ type, options }: CustomFieldRecord, text: string, plan: ImportPlan): string {
  const { date_order: order } = plan;
  switch (type) {
    case "text":
      return "is too long. The limit is 2,000 characters.";
    case "number":
      return "is not a number. Use digits and a decimal point, like 12.5.";
    case "boolean":
      return "is not yes or no.";
    case "date":
      return describeDate(text, "2026-01-31", order);
    case "datetime":
      return describeDate(text, "2026-01-31 09:30", order);
    case "select":
      return `is not an option. Use one of: ${listed(options)}.`;
    case "multi_select":
      return `contains an unknown or repeated option. Options: ${listed(options)}.`;
    case "country":
      return "is not a country. Use a two-letter code, like BR.";
    case "url":
      return "is not a URL. Start with https://.";
    case "email":
      return "is not an email address.";
    case "phone":
      return describePhone(text, plan);
  }
}

function describeOwnField(target: string, text: string, plan: ImportPlan): string {
  if (target === "phone") return describePhone(text, plan);
  if (target === "email") return "is not an email address.";
  if (target === "status") return `is not a status. Use one of: ${listed(contactFields.status.options)}.`;
  if (target === "lifecycle_stage")
    return `is not a lifecycle stage. Use one of: ${listed(contactFields.lifecycle_stage.options)}.`;
  if (target === "is_unsubscribed") return "is not yes or no.";
  if (target === "tags")
    return "is not a valid list of tags. A contact has at most 50 tags, each of at most 60 characters.";
  const most = (isContactField(target) ? contactFields[target].maxLength : null) ?? 0;
  return Array.from(text).length > most
    ? `is longer than ${most} characters.`
    : "contains characters that can't be stored.";
}

function describeUnreadableCell({ target, text }: ImportCell, plan: ImportPlan): string {
  const label = listTargets(plan.fields).find(({ value }) => value === target)?.label ?? target;
  const field = plan.fields.find(({ field_key: key }) => target === CUSTOM_FIELD_PREFIX + key);
  return `${label}: “${cut(text, MAX_QUOTED)}” ${field === undefined ? describeOwnField(target, text, plan) : describeCustomField(field, text, plan)}`;
}

export function describeRefusal(error: ErrorFields): string {
  if (error.code === "conflict") return "The phone and the email belong to different contacts.";
  if (readFaults(error).some(({ path, code }) => path === "tags" && code === "too_big"))
    return "The contact would have more than 50 tags.";
  return error.message;
}

const yes = new Set(["true", "yes", "y", "1"]);
const no = new Set(["false", "no", "n", "0"]);

function readYesNo(text: string): boolean | string {
  const word = text.toLowerCase();
  return yes.has(word) ? true : no.has(word) ? false : text;
}

const matchOption = (options: readonly string[], text: string) =>
  options.find((option) => option.toLowerCase() === text.toLowerCase()) ?? text;

const readPhone = (text: string, { country }: ImportPlan): string =>
  parsePhoneIn(country === "" ? null : country, text) ?? text;

function readCustom({ type, options }: CustomFieldRecord, text: string, plan: ImportPlan): unknown {
  switch (type) {
    case "number":
      return Number.isNaN(Number(text)) ? text : Number(text);
    case "boolean":
      return readYesNo(text);
    case "select":
      return matchOption(options, text);
    case "multi_select":
      return splitList(text).map((item) => matchOption(options, item));
    case "phone":
      return readPhone(text, plan);
    case "date":
      return readDate(text, plan.date_order);
    case "datetime":
      return readDateTime(text, plan.date_order);
    case "text":
    case "country":
    case "url":
    case "email":
      return text;
  }
}

function readOwn(target: string, text: string, plan: ImportPlan): unknown {
  if (target === "phone") return readPhone(text, plan);
  if (target === "tags") return splitList(text);
  if (target === "is_unsubscribed") return readYesNo(text);
  return target === "status" || target === "lifecycle_stage" ? text.toLowerCase() : text;
}

const joiners = new Map([
  ["name", " "],
  ["tags", ", "],
]);

/** Omits empty cells, so that an import does not clear stored values. */
export function readTexts(row: readonly string[], { mapping }: ImportPlan): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [at, target] of mapping.entries()) {
    const text = unguardCell((row[at] ?? "").trim()).trim();
    if (text === "" || target === LEFT_OUT) continue;
    const before = texts.get(target);
    texts.set(target, before === undefined ? text : `${before}${joiners.get(target) ?? ""}${text}`);
  }
  return texts;
}

/** Ignores a cell that says that a person is not unsubscribed, because an import must not opt a person in. */
function readCells(row: readonly string[], plan: ImportPlan): ImportCell[] {
  const fields = new Map(plan.fields.map((field) => [CUSTOM_FIELD_PREFIX + field.field_key, field]));
  return Array.from(readTexts(row, plan), ([target, text]) => {
    const field = fields.get(target);
    return { target, text, value: field === undefined ? readOwn(target, text, plan) : readCustom(field, text, plan) };
  }).filter(({ target, value }) => target !== "is_unsubscribed" || value !== false);
}

function buildBody(cells: readonly ImportCell[], { tag }: ImportPlan): Record<string, unknown> {
  const valuesOf = (isCustom: boolean) =>
    cells
      .filter(({ target }) => target.startsWith(CUSTOM_FIELD_PREFIX) === isCustom)
      .map(({ target, value }) => [isCustom ? target.slice(CUSTOM_FIELD_PREFIX.length) : target, value] as const);
  const own = new Map(valuesOf(false));
  const custom = valuesOf(true);
  const inFile = own.get("tags");
  const tags = [...(tag === "" ? [] : [tag]), ...(Array.isArray(inFile) ? inFile : [])];
  return {
    ...Object.fromEntries(own),
    ...(tags.length > 0 && { tags }),
    ...(custom.length > 0 && { custom_fields: Object.fromEntries(custom) }),
  };
}

type CheckedCells = { input: UpsertInput; values: Record<string, unknown> } | { faults: readonly Fault[] };

function checkCells(cells: readonly ImportCell[], plan: ImportPlan): CheckedCells {
  const row = parseContactRow(buildBody(cells, plan));
  if (hasOwn(row, "error")) return { faults: readFaults(row.error) };
  const { values, faults } = checkCustomFieldValues(plan.definitions, row.input.custom_fields ?? {});
  return faults.length > 0 ? { faults } : { input: row.input, values };
}

const concernsCell = ({ path }: Fault, { target }: ImportCell) => path === target || path.startsWith(`${target}.`);

export type ReadRow =
  | { kind: "taken"; input: UpsertInput; values: Record<string, unknown>; leftOut: string[] }
  | { kind: "refused"; reason: string };

/**
 * Reads and validates one row. Does not query the database, so it does not find out whether a contact already
 * has this phone or email.
 */
export function readImportRow(row: readonly string[], plan: ImportPlan): ReadRow {
  const unreadable: string[] = [];
  let isRefused = false;
  for (let cells = readCells(row, plan); ;) {
    const checked = checkCells(cells, plan);
    if (hasOwn(checked, "input")) {
      return isRefused
        ? { kind: "refused", reason: unreadable.join(" ") }
        : { kind: "taken", ...checked, leftOut: unreadable };
    }
    // Removes the invalid cells and validates the row again, because this can show further problems, which the
    // user should see at once.
    const faulty = cells.filter((cell) => checked.faults.some((fault) => concernsCell(fault, cell)));
    unreadable.push(...faulty.map((cell) => describeUnreadableCell(cell, plan)));
    // If the cell with the opt-out is invalid, the whole row is skipped. Otherwise, a person who opted out
    // could receive messages.
    isRefused ||= faulty.some(({ target }) => plan.misfits === "refuse_row" || target === "is_unsubscribed");
    if (faulty.length === 0) {
      const others = checked.faults.map(({ code, message }) => (code === "required" ? NO_ADDRESS : message));
      return { kind: "refused", reason: (isRefused ? unreadable : [...unreadable, ...others]).join(" ") };
    }
    cells = cells.filter((cell) => !faulty.includes(cell));
  }
}

export function storedValues(read: Extract<ReadRow, { kind: "taken" }>, { fields }: ImportPlan): Map<string, unknown> {
  const stored = new Map<string, unknown>(Object.entries(read.input));
  for (const { field_key: key, number } of fields) stored.set(CUSTOM_FIELD_PREFIX + key, read.values[String(number)]);
  return stored;
}
