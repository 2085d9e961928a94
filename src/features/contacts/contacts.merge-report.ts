// What a merge keeps and loses, for the one who asks for it. Pure.
import type * as z from "zod";
import { isSameJson } from "../../shared/json.ts";
import { contactDefaults, contactFieldNames } from "./contact-fields.schemas.ts";
import type { contactView } from "./contacts.schemas.ts";

type Contact = z.infer<typeof contactView>;

/** Values that say nothing of the person. */
const defaults = new Map<string, string>(Object.entries(contactDefaults));

const fieldValues = (contact: Contact): [name: string, value: unknown][] => [
  ...contactFieldNames.map((name): [string, unknown] => [name, contact[name]]),
  ...Object.entries(contact.custom_fields).map(([key, value]): [string, unknown] => [`custom_fields.${key}`, value]),
];

export interface MergeReport {
  /** How many tags and values the kept contact gets from the other. */
  tags: number;
  fields: number;
  /** Values of the other contact, by field, that are lost; `tags` are the names of those beyond the limit. */
  dropped: Record<string, unknown>;
}

/** Compares the two contacts with what they become. */
export function reportMerge({ kept, removed, merged }: Record<"kept" | "removed" | "merged", Contact>): MergeReport {
  const [before, after] = [new Map(fieldValues(kept)), new Map(fieldValues(merged))];
  const lost = fieldValues(removed).filter(
    ([name, value]) => value !== null && value !== defaults.get(name) && !isSameJson(value, after.get(name)),
  );
  const hasTag = (contact: Contact, id: string) => contact.tags.some((tag) => tag.id === id);
  const lostTags = removed.tags.filter(({ id }) => !hasTag(merged, id)).map(({ name }) => name);
  return {
    tags: merged.tags.filter(({ id }) => !hasTag(kept, id)).length,
    fields: [...after].filter(([name, value]) => !isSameJson(value, before.get(name))).length,
    dropped: Object.fromEntries([...lost, ...(lostTags.length > 0 ? [["tags", lostTags] as const] : [])]),
  };
}
