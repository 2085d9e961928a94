import * as z from "zod";
import { limitParam, timestamp, wholeNumber } from "../../http/fields.ts";
import { pascalCase } from "../../shared/text/text.ts";
import {
  type EventKind,
  eventMeanings,
  eventTypes,
  kindOf,
  matchEventTypes,
  reservedTypes,
} from "../events/events.types.ts";
import { eventObjects } from "./event-objects.ts";
import { MAX_WAIT_SECONDS } from "./event-feed.waiting.ts";

export const reservedTypesNote = `Filters also accept these types, which no event has yet: ${reservedTypes.map((type) => `\`${type}\``).join(", ")}.`;

const typesParam = z
  .string()
  .max(2000)
  .transform((text, issues) => {
    const patterns = text.split(",").map((pattern) => pattern.trim());
    for (const pattern of new Set(patterns)) {
      if (matchEventTypes(pattern).length > 0) continue;
      const message = `${JSON.stringify(pattern)} is not an event type, such as message.sent, message.* or *.`;
      issues.addIssue({ code: "custom", message, params: { code: "invalid_value" } });
    }
    return patterns;
  })
  .meta({
    description: `Event types, separated by commas: \`message.*,contact.created\`. Default: \`*\`, all types. ${reservedTypesNote}`,
    override: { type: "string", examples: ["message.*,contact.created"] },
  });

export const listEventsQuery = z.strictObject({
  after: z.string().min(1).max(100).optional().meta({
    description: "Event id or `next_after`. `now` returns only future events. Default: from the oldest stored event.",
  }),
  types: typesParam.default(["*"]).meta({
    description: "Event types, separated by commas. Default: all types.",
    override: { default: "*" },
  }),
  limit: limitParam(100),
  wait: wholeNumber(1, MAX_WAIT_SECONDS)
    .optional()
    .meta({ description: "Seconds to wait for an event if the log has no matching event yet." }),
});

/** The documentation shows this tuple as a list with exactly two items, without `prefixItems`. */
const beforeAndAfter = z.tuple([z.unknown(), z.unknown()]).meta({
  override({ jsonSchema }) {
    delete jsonSchema.prefixItems;
    Object.assign(jsonSchema, { items: {}, minItems: 2, maxItems: 2 });
  },
});

/** The only key is the kind of the object, for example `contact` in the data of `contact.updated`. */
type EventData = { [K in EventKind]?: z.infer<(typeof eventObjects)[K]["view"]> | null };

const eventActor = z
  .strictObject({
    type: z
      .enum(["api_key", "member", "operator", "provider", "system"])
      .meta({ id: "ActorType", description: "`system` is Tidings itself." }),
    id: z.string().nullable(),
  })
  .meta({
    id: "Actor",
    description:
      "Who caused the event. `id` is the id of the API key, of the member, or of the provider's connection. `id` is null for the operator and for Tidings itself.",
  });

export const eventFields = {
  id: z.string().meta({ description: "Id of the event, the same in the log and in all deliveries." }),
  sequence: z.int().meta({
    description:
      "Number of the event in the workspace's log. The numbers have no gaps and follow the order in which the changes were stored.",
  }),
  created_at: timestamp,
  actor: eventActor,
  object_id: z.string().meta({ description: "Id of the object in `data`, also if `data` is null." }),
  changes: z
    .record(z.string(), beforeAndAfter)
    .meta({ id: "EventChanges", description: "Changed fields, with the values before and after." })
    .nullable(),
};

const eventShape = z.object(eventFields);

export type EventView = z.infer<typeof eventShape> & { type: string; data: EventData };

/** The name in OpenAPI: `custom_field.created` becomes `CustomFieldCreatedEvent`. */
export const eventComponent = (type: string) => `${pascalCase(type)}Event`;

const eventOf = (type: string, object: string, view: z.ZodType) => {
  const { id, sequence, ...others } = eventFields;
  const current = view.nullable().meta({
    description:
      "The object as it is when you read the event, not as it was when the event happened. Null if the object is deleted.",
  });
  const data = z.strictObject({ [object]: current });
  return z
    .strictObject({ id, type: z.literal(type), sequence, ...others, data })
    .meta({ id: eventComponent(type), description: eventMeanings.get(type) });
};

export const loggedTypes = eventTypes.filter((type) => !reservedTypes.includes(type));

/** Created on first use, because only the documentation and tests need this large schema. */
export const eventView = z.lazy(() => {
  const events = Object.entries(eventObjects).flatMap(([object, { view }]) =>
    loggedTypes.filter((type) => kindOf(type) === object).map((type) => eventOf(type, object, view)),
  );
  const [first, ...others] = events;
  if (first === undefined) throw new Error("The list of event types is empty.");
  return z.discriminatedUnion("type", [first, ...others]).meta({ id: "Event" });
});
