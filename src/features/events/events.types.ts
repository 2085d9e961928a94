// All event types, and their patterns.

import type { Role } from "../../shared/access/actor.ts";

/** Each kind of object: the least role that may see it, and its events with the time each is logged. */
export const eventKinds = {
  message: {
    leastRole: "agent",
    types: {
      queued: "A message to one person was accepted, and waits to be sent.",
      received: "A person wrote.",
      sent: "The provider took a message.",
      delivered: "A message reached the person's device.",
      read: "The person read a message.",
      failed: "A message was not sent or not delivered. Its `error` says why.",
      unknown:
        "The provider may or may not have taken a message: its answer was lost. It is not sent again on its own.",
      edited: "The author of a message changed it.",
      revoked: "The author of a message took it back.",
      reaction: "Somebody reacted to a message, or took the reaction back.",
    },
  },
  conversation: {
    leastRole: "agent",
    types: {
      opened: "A conversation began, or was opened again.",
      done: "A conversation was marked as done.",
      read: "The messages of a conversation were marked as read.",
      assigned: "A conversation was assigned to a member, or to nobody.",
      updated:
        "The labels of a conversation changed, it was snoozed, a snooze ended, or another conversation became part of it.",
    },
  },
  note: {
    leastRole: "agent",
    types: {
      created: "A note was added to a conversation. The event names its author and whom it mentions, and not its text.",
    },
  },
  contact: {
    leastRole: "agent",
    types: {
      created: "A contact was created: over the API, in the console, by an import, or by a first message.",
      updated: "Fields or tags of a contact changed.",
      archived: "A contact was archived.",
      restored: "An archived contact was restored.",
      merged: "Another contact became part of this one, since both are the same person.",
      erased: "What was known of a person was erased.",
      opted_out: "A person opted out, of everything or of marketing.",
      opted_in: "A person who had opted out wants messages again.",
      identity_changed: "A person's number, or their id at a provider, changed.",
    },
  },
  campaign: {
    leastRole: "admin",
    types: {
      created: "A campaign was created as a draft, to be started later.",
      updated: "A campaign that had not started was changed.",
      scheduled: "A campaign was created that starts later, or a draft was scheduled.",
      started: "A campaign began to send.",
      paused: "A campaign was paused, by somebody or by itself after many failures in a row.",
      resumed: "A paused campaign goes on.",
      completed: "Every recipient of a campaign was dealt with.",
      cancelled: "A campaign was cancelled: those who had not been sent it will not be.",
      failed: "A campaign could not start. Its `last_error` says why.",
    },
  },
  template: {
    leastRole: "admin",
    types: {
      created: "A template was created, or found at a provider.",
      updated: "The name, text or parts of a template changed.",
      deleted: "A template was deleted.",
      status_changed: "A provider approved, refused, paused or disabled a template.",
      quality_changed: "A provider rated a template anew.",
    },
  },
  tag: {
    leastRole: "agent",
    types: {
      created: "A tag was created.",
      updated: "The name or color of a tag changed.",
      deleted: "A tag was deleted, and taken off all contacts.",
    },
  },
  custom_field: {
    leastRole: "agent",
    types: {
      created: "A custom field was created.",
      updated: "The label or options of a custom field changed.",
      deleted: "A custom field was deleted, with its values.",
    },
  },
  canned_reply: {
    leastRole: "agent",
    types: {
      created: "A canned reply was created.",
      updated: "The shortcut or text of a canned reply changed.",
      deleted: "A canned reply was deleted.",
    },
  },
  segment: {
    leastRole: "agent",
    types: {
      created: "A segment was created.",
      updated: "The name or filter of a segment changed.",
      deleted: "A segment was deleted.",
    },
  },
  webhook: {
    leastRole: "admin",
    types: {
      created: "A webhook was created.",
      updated: "Settings of a webhook changed, or it was paused or enabled.",
      deleted: "A webhook was deleted.",
      disabled: "A webhook was disabled, since its endpoint kept failing or answered 410.",
    },
  },
  connection: {
    leastRole: "admin",
    types: {
      created: "A connection was created.",
      updated: "Settings of a connection changed.",
      deleted: "A connection was deleted.",
      status_changed: "A connection works again, or stopped working.",
      limit_changed: "A provider changed how many people the account may write to first in a day.",
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

/** When events of each type are logged, by type, in the order of the list. */
export const eventMeanings: ReadonlyMap<string, string> = new Map(
  Object.entries(eventKinds).flatMap(([object, { types }]) =>
    Object.entries(types).map(([verb, meaning]) => [`${object}.${verb}`, meaning]),
  ),
);

export const eventTypes: readonly string[] = [...eventMeanings.keys()];

/** Types that filters accept although nothing logs them yet. */
export const reservedTypes: readonly string[] = ["contact.erased", "api_key.rotated"] satisfies EventType[];

const rolesByKind: ReadonlyMap<string, Role> = new Map(
  Object.entries(eventKinds).map(([kind, { leastRole }]) => [kind, leastRole]),
);

/** The least role that may see events of a type. */
export const leastRoleFor = (type: string): Role => rolesByKind.get(kindOf(type)) ?? "owner";

/** The object kind of an event type, which is the key of the object in the event's `data`. */
export const kindOf = (type: string): string => type.slice(0, type.indexOf("."));

/** The types that match a pattern: a type, `<object>.*` or `*`. Empty if the pattern is unknown. */
export function matchEventTypes(pattern: string): readonly string[] {
  if (pattern === "*") return eventTypes;
  if (!pattern.endsWith(".*")) return eventTypes.filter((type) => type === pattern);
  return eventTypes.filter((type) => type.startsWith(pattern.slice(0, -1)));
}
