import { expect } from "vitest";
import { type LoggedEvent, readLog } from "./read-log.ts";
import { answersFor } from "./rebuild.ts";
import type { Answer, Customer } from "./world.ts";

type Fields = Record<string, unknown>;

const newContact: Fields = {
  tags: [],
  external_ids: [],
  is_archived: false,
  is_unsubscribed: false,
  marketing_opt_out: false,
};

/** Applies a change of a tag or custom field to all contacts, because the log contains only one event for it. */
class Settings {
  private readonly tags = new Map<string, string>();
  private readonly fields = new Map<string, string>();

  constructor(private readonly contacts: Map<string, Fields>) {}

  apply({ type, id, changes }: LoggedEvent): void {
    const tag = this.tags.get(id);
    const field = this.fields.get(id);
    if (type === "tag.created") this.tags.set(id, String(changes?.["name"]?.[1]));
    if (type === "custom_field.created") this.fields.set(id, `custom_fields.${changes?.["field_key"]?.[1]}`);
    const [name, newName] = changes?.["name"] ?? [];
    if (type === "tag.updated" && name !== undefined) {
      this.tags.set(id, newName);
      this.changeTags((names) => names.map((each) => (each === name ? newName : each)));
    }
    if (type === "tag.deleted") this.changeTags((names) => names.filter((each) => each !== tag));
    if (field === undefined) return;
    if (type === "custom_field.deleted") for (const contact of this.contacts.values()) delete contact[field];
    const [options, left] = changes?.["options"] ?? [];
    if (type === "custom_field.updated" && options !== undefined) this.leaveOptions(field, left);
  }

  private changeTags(change: (names: string[]) => string[]): void {
    for (const contact of this.contacts.values()) {
      if (Array.isArray(contact["tags"])) contact["tags"] = change(contact["tags"]);
    }
  }

  private leaveOptions(field: string, left: unknown[]): void {
    for (const contact of this.contacts.values()) {
      const value = contact[field];
      const shown = Array.isArray(value) ? value.filter((each) => left.includes(each)) : left.includes(value) && value;
      if (shown === false || (Array.isArray(shown) && shown.length === 0)) delete contact[field];
      else contact[field] = shown;
    }
  }
}

function rebuildContacts(events: LoggedEvent[]): Map<string, Fields> {
  const contacts = new Map<string, Fields>();
  const settings = new Settings(contacts);
  for (const event of events) {
    settings.apply(event);
    const { type, id, changes, sequence } = event;
    if (!type.startsWith("contact.")) continue;
    const fail = (what: string) => {
      throw new Error(`Event ${sequence}, ${type} of ${id}: ${what}`);
    };
    const isNew = type === "contact.created";
    if (isNew === contacts.has(id)) fail(isNew ? "it is there already." : "it is not known.");
    const fields = contacts.get(id) ?? { ...newContact };
    contacts.set(id, fields);
    for (const [name, [before, after]] of Object.entries(changes ?? {})) {
      if (name === "id") {
        if (!contacts.delete(String(before))) fail(`${String(before)} is not known.`);
        continue;
      }
      const held = isNew ? null : (fields[name] ?? null);
      if (JSON.stringify(held) !== JSON.stringify(before)) {
        fail(`${name} was ${JSON.stringify(held)}, not ${JSON.stringify(before)}.`);
      }
      if (after === null) delete fields[name];
      else fields[name] = after;
    }
  }
  return contacts;
}

/** Returns the fields that events report. Times are not among them. */
function shownFields(contact: Answer["body"]): Fields {
  const { id: _id, created_at: _created, updated_at: _updated, custom_fields, tags, ...fields } = contact;
  const custom = Object.entries(custom_fields).map(([key, value]) => [`custom_fields.${key}`, value] as const);
  const all = { ...fields, ...Object.fromEntries(custom), tags: tags.map(({ name }: { name: string }) => name) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

export async function expectLogToTellContacts(customer: Customer): Promise<void> {
  const shown = await answersFor(customer, "contacts", "contacts", "contact");
  expect(rebuildContacts(await readLog(customer))).toEqual(
    new Map([...shown].map(([id, contact]) => [id, shownFields(contact)])),
  );
}
