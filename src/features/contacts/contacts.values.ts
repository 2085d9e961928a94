// A contact's own values as people read them, for templates. Pure.
import { type ContactLayout, type ContactRecord, presentContact } from "./contacts.schemas.ts";

function readable(value: unknown): string | null {
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

/** The first word of a name. */
const firstOf = (name: string | null): string | null => name?.trim().split(/\s/u, 1)[0] ?? null;

/** What a named variable may take from a contact: its fields and custom fields, by name; null where it has none. */
export function contactValues(record: ContactRecord, layout: ContactLayout): Map<string, string | null> {
  const { custom_fields: customFields, ...contact } = presentContact(record, layout);
  const { name, phone, email, company, address_as, status, lifecycle_stage } = contact;
  const own = { name, first_name: firstOf(name), phone, email, company, address_as, status, lifecycle_stage };
  const custom = Object.entries(customFields).map(([key, value]) => [key, readable(value)] as const);
  return new Map([...custom, ...Object.entries(own)]);
}

/** The same of a person who becomes a contact by being written to. */
export const newContactValues = (phone: string): Map<string, string | null> =>
  new Map([
    ["phone", phone],
    ["status", "new"],
    ["lifecycle_stage", "lead"],
  ]);
