import * as z from "zod";
import { limitParam, timestamp, wholeNumber } from "../../http/fields.ts";
import { apiKeyView } from "../api-keys/api-keys.schemas.ts";
import { cannedReplyView } from "../canned-replies/canned-replies.schemas.ts";
import { campaignView } from "../campaigns/campaigns.views.ts";
import { connectionView } from "../connections/connections.schemas.ts";
import { contactView } from "../contacts/contacts.schemas.ts";
import { conversationView } from "../conversations/conversations.schemas.ts";
import { customFieldView } from "../custom-fields/custom-fields.schemas.ts";
import {
  type EventObject,
  eventMeanings,
  eventTypes,
  kindOf,
  matchEventTypes,
  reservedTypes,
} from "../events/events.types.ts";
import { pascalCase } from "../../shared/text.ts";
import { MAX_WAIT_SECONDS } from "./event-feed.limits.ts";
import { messageView } from "../messages/messages.views.ts";
import { noteSummary } from "../messages/notes/notes.schemas.ts";
import { segmentView } from "../segments/segments.schemas.ts";
import { tagView } from "../tags/tags.schemas.ts";
import { templateView } from "../templates/templates.schemas.ts";
import { iso } from "../../shared/iso-times.ts";

/** For the descriptions of filters by type. */
export const reservedTypesNote = `Accepted in filters, not produced yet: ${reservedTypes.map((type) => `\`${type}\``).join(", ")}.`;

/** Patterns of event types, separated by commas. */
const typesParam = z
  .string()
  .max(2000)
  .transform((text, issues) => {
    const patterns = text.split(",").map((pattern) => pattern.trim());
    for (const pattern of new Set(patterns)) {
      if (matchEventTypes(pattern).length > 0) continue;
      const message = `${JSON.stringify(pattern)} is no type of event, like message.sent, message.* or *.`;
      issues.addIssue({ code: "custom", message, params: { code: "invalid_value" } });
    }
    return patterns;
  })
  .meta({
    description: `The types to give, separated by commas: \`message.*,contact.created\`. \`*\`, or left out, for all. ${reservedTypesNote}`,
    override: { type: "string", examples: ["message.*,contact.created"] },
  });

export const listEventsQuery = z.strictObject({
  after: z.string().min(1).max(100).optional().meta({
    description:
      "An event's id, or a `next_after`; `now` for what happens from now on. Left out: from the oldest kept.",
  }),
  types: typesParam.default(["*"]).meta({
    description: "The types to give, separated by commas; all when left out.",
    override: { default: "*" },
  }),
  limit: limitParam(100),
  wait: wholeNumber(1, MAX_WAIT_SECONDS)
    .optional()
    .meta({ description: "How many seconds to wait for an event where there is none." }),
});

export const connectionInEvent = connectionView
  .pick({ id: true, name: true, channel: true, provider: true, status: true, status_detail: true })
  .meta({ id: "ConnectionSummary" });

/** A webhook as its row shows it: how far it has come is known to its object. */
export const webhookSummary = z
  .strictObject({
    id: z.string(),
    url: z.string(),
    description: z.string().nullable(),
    types: z.array(z.string()),
    campaigns: z.enum(["include", "exclude", "only"]).meta({
      id: "WebhookCampaigns",
      description: "Of the events about messages: all, those that are of no campaign, or those of campaigns only.",
    }),
    connection_ids: z.array(z.string()).nullable().meta({ description: "Null for all connections." }),
    batch: z.strictObject({ max_events: z.int(), max_wait_seconds: z.int() }).nullable(),
    status: z.enum(["active", "probing", "paused", "disabled"]).meta({
      id: "WebhookStatus",
      description:
        "`probing` after 20 failures in a row: one attempt on schedule until one succeeds. `disabled` after five days of that, " +
        "or when the endpoint answered 410.",
    }),
    status_reason: z.string().nullable().meta({ description: "Why it is not `active`." }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "WebhookSummary" });

export const webhookSummaryRecord = webhookSummary.extend({ created_at: z.number(), updated_at: z.number() });

export const presentWebhookSummary = ({
  created_at,
  updated_at,
  ...record
}: z.infer<typeof webhookSummaryRecord>): z.infer<typeof webhookSummary> => ({
  ...record,
  created_at: iso(created_at),
  updated_at: iso(updated_at),
});

/** Documented as a list of two, which is all that a tuple of anything is. */
const beforeAndAfter = z.tuple([z.unknown(), z.unknown()]).meta({
  override({ jsonSchema }) {
    delete jsonSchema.prefixItems;
    Object.assign(jsonSchema, { items: {}, minItems: 2, maxItems: 2 });
  },
});

const objectViews = {
  message: messageView,
  conversation: conversationView,
  note: noteSummary,
  contact: contactView,
  campaign: campaignView,
  template: templateView,
  tag: tagView,
  custom_field: customFieldView,
  canned_reply: cannedReplyView,
  segment: segmentView,
  webhook: webhookSummary,
  connection: connectionInEvent,
  api_key: apiKeyView,
} satisfies Record<EventObject, z.ZodType>;

/** One key, the first word of the type. */
export type EventData = { [K in EventObject]?: z.infer<(typeof objectViews)[K]> | null };

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
      "Who caused it: a key, a member, or a provider by its connection, each by id; the operator, or Tidings itself.",
  });

export const eventFields = {
  id: z.string().meta({ description: "The same in the log and in every delivery." }),
  sequence: z.int().meta({ description: "Counts the events of the workspace, without gaps, in the order of commits." }),
  created_at: timestamp,
  actor: eventActor,
  object_id: z.string().meta({ description: "The id of the object in `data`, also once that is null." }),
  changes: z
    .record(z.string(), beforeAndAfter)
    .meta({ id: "EventChanges", description: "Each field that changed, with its value before and after." })
    .nullable(),
};

const eventShape = z.object(eventFields);

/** An event as the API shows it. */
export type EventView = z.infer<typeof eventShape> & { type: string; data: EventData };

/** `custom_field.created` → `CustomFieldCreatedEvent` */
export const eventComponent = (type: string) => `${pascalCase(type)}Event`;

const eventOf = (type: string, object: string, view: z.ZodType) => {
  const { id, sequence, ...others } = eventFields;
  const shown = view.nullable().meta({ description: "As it is when the event is read; null once it is gone." });
  const data = z.strictObject({ [object]: shown });
  return z
    .strictObject({ id, type: z.literal(type), sequence, ...others, data })
    .meta({ id: eventComponent(type), description: eventMeanings.get(type) });
};

/** The types that are produced. */
export const loggedTypes = eventTypes.filter((type) => !reservedTypes.includes(type));

/** Made when it is first asked for: only the documentation and tests do. */
export const eventView = z.lazy(() => {
  const events = Object.entries(objectViews).flatMap(([object, view]) =>
    loggedTypes.filter((type) => kindOf(type) === object).map((type) => eventOf(type, object, view)),
  );
  const [first, ...others] = events;
  if (first === undefined) throw new Error("There are no types of events.");
  return z.discriminatedUnion("type", [first, ...others]).meta({ id: "Event" });
});
