import { changedFieldsOf } from "../../shared/text/json.ts";
import type { EventType } from "./events.types.ts";

type Changes = Record<string, readonly [before: unknown, after: unknown]>;

export interface NewEvent {
  type: EventType;
  id: string;
  changes?: Changes;
}

export const createdEvent = (type: EventType, id: string, fields: Record<string, unknown>): NewEvent => ({
  type,
  id,
  changes: Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      (value ?? null) === null ? [] : [[name, [null, value] as const]],
    ),
  ),
});

export function updatedEvents(type: EventType, id: string, before: object, after: object): NewEvent[] {
  const changes = changedFieldsOf(before, after).map(([name, old, value]) => [name, [old ?? null, value] as const]);
  return changes.length === 0 ? [] : [{ type, id, changes: Object.fromEntries(changes) }];
}
