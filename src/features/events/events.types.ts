// The closed list of event types, and patterns of them as callers write them.

/** The events of each kind of object. */
export const eventTypesByObject = {
  message: ["queued", "received", "sent", "delivered", "read", "failed", "unknown", "edited", "revoked", "reaction"],
  conversation: ["opened", "done", "read", "assigned"],
  contact: [
    "created",
    "updated",
    "archived",
    "restored",
    "merged",
    "erased",
    "opted_out",
    "opted_in",
    "identity_changed",
  ],
  campaign: ["scheduled", "started", "paused", "resumed", "completed", "cancelled", "failed"],
  template: ["created", "updated", "deleted", "status_changed", "quality_changed"],
  tag: ["created", "updated", "deleted"],
  custom_field: ["created", "updated", "deleted"],
  segment: ["created", "updated", "deleted"],
  webhook: ["created", "updated", "deleted", "disabled"],
  connection: ["created", "updated", "deleted", "status_changed", "limit_changed"],
  api_key: ["created", "rotated", "revoked"],
} as const;

export type EventObject = keyof typeof eventTypesByObject;

type TypesOf<K extends EventObject> = K extends EventObject ? `${K}.${(typeof eventTypesByObject)[K][number]}` : never;

export type EventType = TypesOf<EventObject>;

/** `message.queued`, and all others, in the order of the list. */
export const eventTypes: readonly string[] = Object.entries(eventTypesByObject).flatMap(([object, verbs]) =>
  verbs.map((verb) => `${object}.${verb}`),
);

/** Types that filters accept and that nothing produces yet: what is written for them works once something does. */
export const reservedTypes: readonly string[] = [
  "conversation.assigned",
  "contact.erased",
  "api_key.rotated",
] satisfies EventType[];

/** The kind of object that events of a type are about, which is the key of the object in an event's `data`. */
export const kindOf = (type: string): string => type.slice(0, type.indexOf("."));

/** The types that a pattern names: one type, `<object>.*` or `*`. Empty for an unknown one. */
export function matchEventTypes(pattern: string): readonly string[] {
  if (pattern === "*") return eventTypes;
  if (!pattern.endsWith(".*")) return eventTypes.filter((type) => type === pattern);
  return eventTypes.filter((type) => type.startsWith(pattern.slice(0, -1)));
}
