import { contactDefaults, templateFieldNames } from "./contact-fields.schemas.ts";
import { type ContactFacts, type ContactLayout, customFieldsByKey } from "./contacts.schemas.ts";

function readable(value: unknown): string | null {
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

const firstWord = (name: string | null): string | null => name?.trim().split(/\s/u, 1)[0] ?? null;

export const contactValueNames = (layout: readonly Pick<ContactLayout[number], "key">[]): Set<string> =>
  new Set(["name", "first_name", ...templateFieldNames, ...layout.map(({ key }) => key)]);

export function contactValues(facts: ContactFacts, layout: ContactLayout): Map<string, string | null> {
  const own = templateFieldNames.map((name) => [name, facts[name]] as const);
  const custom = Object.entries(customFieldsByKey(facts, layout)).map(
    ([key, value]) => [key, readable(value)] as const,
  );
  return new Map([...custom, ["name", facts.name], ["first_name", firstWord(facts.name)], ...own]);
}

export const newContactValues = (phone: string | null): Map<string, string | null> =>
  new Map([
    ["phone", phone],
    ["status", contactDefaults.status],
    ["lifecycle_stage", contactDefaults.lifecycle_stage],
  ]);
