import type { Event } from "../src/index.ts";

const shorten = (text: string) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

/** An event in a line for people: when, its type and id, and what has changed. */
export function formatEvent({ created_at, type, id, changes }: Event): string {
  const changed = Object.entries(changes ?? {}).map(([field, change]) => {
    const after: unknown = Array.isArray(change) ? change.at(-1) : change;
    return `${field}=${shorten(JSON.stringify(after) ?? "")}`;
  });
  return [created_at, type, id, ...changed.slice(0, 4)].join(" ");
}
