import * as z from "zod";
import { iso, limitParam, timestamp, wholeNumber } from "../../http/fields.ts";
import { apiKeyView } from "../api-keys/api-keys.schemas.ts";
import { campaignView } from "../campaigns/campaigns.views.ts";
import { connectionView } from "../connections/connections.schemas.ts";
import { contactView } from "../contacts/contacts.schemas.ts";
import { conversationView } from "../conversations/conversations.schemas.ts";
import { customFieldView } from "../custom-fields/custom-fields.schemas.ts";
import { eventTypes, matchEventTypes, reservedTypes } from "../events/events.types.ts";
import { MAX_WAIT_SECONDS } from "./event-feed.limits.ts";
import { messageView } from "../messages/messages.views.ts";
import { segmentView } from "../segments/segments.schemas.ts";
import { tagView } from "../tags/tags.schemas.ts";
import { templateView } from "../templates/templates.schemas.ts";

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
  types: typesParam.default(["*"]).meta({ override: { default: "*" } }),
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
    status_reason: z.string().nullable(),
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

const eventData = z
  .strictObject({
    message: messageView.nullable(),
    conversation: conversationView.nullable(),
    contact: contactView.nullable(),
    campaign: campaignView.nullable(),
    template: templateView.nullable(),
    tag: tagView.nullable(),
    custom_field: customFieldView.nullable(),
    segment: segmentView.nullable(),
    webhook: webhookSummary.nullable(),
    connection: connectionInEvent.nullable(),
    api_key: apiKeyView.nullable(),
  })
  .partial()
  .meta({
    examples: [{ tag: { id: "tag_…", name: "VIP", color: "#2563eb", created_at: "2026-12-01T09:30:00.000Z" } }],
    description:
      "One key, the first word of the type: the object as it is when the event is read, or null once it no longer exists.",
  });

export type EventData = z.infer<typeof eventData>;

/** Documented as a list of two, which is all that a tuple of anything is. */
const beforeAndAfter = z.tuple([z.unknown(), z.unknown()]).meta({
  override({ jsonSchema }) {
    delete jsonSchema.prefixItems;
    Object.assign(jsonSchema, { items: {}, minItems: 2, maxItems: 2 });
  },
});

export const eventView = z
  .strictObject({
    id: z.string(),
    sequence: z
      .int()
      .meta({ description: "Counts the events of the workspace, without gaps, in the order of commits." }),
    type: z.enum(eventTypes),
    created_at: timestamp,
    actor: z
      .strictObject({
        type: z.enum(["api_key", "member", "operator", "provider", "system"]),
        id: z.string().nullable(),
      })
      .meta({
        description:
          "Who caused it: a key, a member, or a provider by its connection, each by id; the operator, or Tidings itself.",
      }),
    object_id: z.string().meta({ description: "The id of the object in `data`, also once that is null." }),
    data: eventData,
    changes: z
      .record(z.string(), beforeAndAfter)
      .nullable()
      .meta({
        examples: [{ name: ["Ada", "Ada Lovelace"] }],
        description: "Each field that changed with its value before and after; null where no field did.",
      }),
  })
  .meta({ id: "Event" });

/** An event as the API shows it. */
export type EventView = z.infer<typeof eventView>;
