import type { Role } from "../../shared/access/actor.ts";

/** `leastRole` is the lowest role that can read the events of this kind. */
export const eventKinds = {
  message: {
    leastRole: "agent",
    types: {
      queued: "A direct message was stored and waits to be sent.",
      received: "A message from a person was received.",
      sent: "The provider accepted a message.",
      delivered: "A message reached the person's device.",
      read: "The person read a message.",
      failed: "A message was not sent or not delivered. Its `error` has the reason.",
      unknown:
        "The provider's response to a message was lost, so the message may have been sent. It is not sent again automatically.",
      edited: "The author edited a message.",
      revoked: "The author revoked a message.",
      reaction: "A reaction to a message was added or removed.",
    },
  },
  conversation: {
    leastRole: "agent",
    types: {
      opened: "A conversation was started or reopened.",
      done: "A conversation was marked as done.",
      read: "The messages of a conversation were marked as read.",
      assigned: "A conversation was assigned or unassigned.",
      updated:
        "A conversation's labels changed, it was snoozed, a snooze ended, or another conversation was merged into it.",
    },
  },
  note: {
    leastRole: "agent",
    types: {
      created: "A note was added to a conversation. The event contains its author and mentions, but not its text.",
    },
  },
  contact: {
    leastRole: "agent",
    types: {
      created: "A contact was created through the API, the console, an import or a first message.",
      updated: "Fields or tags of a contact changed.",
      archived: "A contact was archived.",
      restored: "An archived contact was restored.",
      merged: "Another contact was merged into this contact.",
      erased: "A person's data was erased.",
      opted_out: "A person opted out of all messages or of marketing.",
      opted_in: "A person who had opted out opted in again.",
      identity_changed: "A person's number, or their id at a provider, changed.",
    },
  },
  campaign: {
    leastRole: "admin",
    types: {
      created: "A campaign was created as a draft.",
      updated: "A campaign was changed before its start.",
      scheduled: "A campaign was created with a later start, or a draft was scheduled.",
      started: "A campaign started to send.",
      paused: "A campaign was paused, manually or after many failures in a row.",
      resumed: "A paused campaign was resumed.",
      completed: "Every recipient of a campaign was processed.",
      cancelled: "A campaign was cancelled. Its remaining recipients receive no message.",
      failed: "A campaign could not start. Its `last_error` has the reason.",
    },
  },
  template: {
    leastRole: "admin",
    types: {
      created: "A template was created, or found at a provider.",
      updated: "A template's name, text or components changed.",
      deleted: "A template was deleted.",
      status_changed: "A provider approved, rejected, paused or disabled a template.",
      quality_changed: "A provider changed a template's quality rating.",
    },
  },
  tag: {
    leastRole: "agent",
    types: {
      created: "A tag was created.",
      updated: "A tag's name or color changed.",
      deleted: "A tag was deleted and removed from all contacts.",
    },
  },
  custom_field: {
    leastRole: "agent",
    types: {
      created: "A custom field was created.",
      updated: "A custom field's label or options changed.",
      deleted: "A custom field was deleted with its values.",
    },
  },
  canned_reply: {
    leastRole: "agent",
    types: {
      created: "A canned reply was created.",
      updated: "A canned reply's shortcut or text changed.",
      deleted: "A canned reply was deleted.",
    },
  },
  segment: {
    leastRole: "agent",
    types: {
      created: "A segment was created.",
      updated: "A segment's name or filter changed.",
      deleted: "A segment was deleted.",
    },
  },
  webhook: {
    leastRole: "admin",
    types: {
      created: "A webhook was created.",
      updated: "A webhook's settings changed, or it was paused or enabled.",
      deleted: "A webhook was deleted.",
      disabled: "A webhook was disabled because its endpoint kept failing or returned 410.",
    },
  },
  connection: {
    leastRole: "admin",
    types: {
      created: "A connection was created.",
      updated: "A connection's settings changed.",
      deleted: "A connection was deleted.",
      status_changed: "A connection started or stopped working.",
      limit_changed: "A provider changed the number of people per day to whom the account can send a first message.",
    },
  },
  api_key: {
    leastRole: "admin",
    types: {
      created: "An API key was created.",
      rotated: "An API key was replaced.",
      revoked: "An API key was revoked.",
    },
  },
} as const satisfies Record<string, { leastRole: Role; types: Record<string, string> }>;

export type EventKind = keyof typeof eventKinds;

type TypesOf<K extends EventKind> = K extends EventKind
  ? `${K}.${Extract<keyof (typeof eventKinds)[K]["types"], string>}`
  : never;

export type EventType = TypesOf<EventKind>;

export const eventMeanings: ReadonlyMap<string, string> = new Map(
  Object.entries(eventKinds).flatMap(([object, { types }]) =>
    Object.entries(types).map(([verb, meaning]) => [`${object}.${verb}`, meaning]),
  ),
);

export const eventTypes: readonly string[] = [...eventMeanings.keys()];

/** Filters accept these types although nothing logs them yet, so that clients can already subscribe. */
export const reservedTypes: readonly string[] = ["contact.erased", "api_key.rotated"] satisfies EventType[];

const rolesByKind: ReadonlyMap<string, Role> = new Map(
  Object.entries(eventKinds).map(([kind, { leastRole }]) => [kind, leastRole]),
);

export const leastRoleFor = (type: string): Role => rolesByKind.get(kindOf(type)) ?? "owner";

export const kindOf = (type: string): string => type.slice(0, type.indexOf("."));

export function matchEventTypes(pattern: string): readonly string[] {
  if (pattern === "*") return eventTypes;
  if (!pattern.endsWith(".*")) return eventTypes.filter((type) => type === pattern);
  return eventTypes.filter((type) => type.startsWith(pattern.slice(0, -1)));
}
