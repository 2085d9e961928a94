import { contactFields, isContactField } from "../../../features/contacts/contact-fields.schemas.ts";
import type { CustomFieldRecord } from "../../../features/custom-fields/custom-fields.schemas.ts";
import { examplePhone } from "../../../shared/text/example-phone.ts";
import { cut } from "../../../shared/text/text.ts";
import { readFaults, type ErrorFields } from "../../kit/forms/faults.ts";
import { countryName } from "../contacts/contact-fields.tsx";
import { CUSTOM_FIELD_PREFIX, listTargets } from "./import-columns.ts";
import { type DateOrder, isAmbiguous } from "./import-dates.ts";
import type { ImportCell, ImportPlan } from "./import-settings.tsx";

const MAX_QUOTED = 60;
const MAX_OPTIONS = 8;

export const NO_ADDRESS = "No phone or email.";

const listed = (options: readonly string[]) =>
  options.slice(0, MAX_OPTIONS).join(", ") + (options.length > MAX_OPTIONS ? " …" : "");

/** Includes an example only for a selected country: another country's would mislead. */
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
  if (order === null && isAmbiguous(text)) return "may be two dates. Choose whether the day or the month comes first.";
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
  if (target === "tags") return "cannot be taken. A contact has at most 50 tags, each of at most 60 characters.";
  const most = (isContactField(target) ? contactFields[target].maxLength : null) ?? 0;
  return Array.from(text).length > most
    ? `is longer than ${most} characters.`
    : "contains characters that can't be stored.";
}

export function describeUnreadableCell({ target, text }: ImportCell, plan: ImportPlan): string {
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
