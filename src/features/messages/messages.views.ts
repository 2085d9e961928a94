import * as z from "zod";
import { isPhoneAddress } from "../../shared/text/phone.ts";
import { messageErrorCodes } from "../../channels/channel-events.ts";
import { presentTemplateParts } from "../../channels/templates/channel-templates.ts";
import { contentShapes, referral } from "../../channels/content.ts";
import { timestamp } from "../../http/fields.ts";
import type { HistoryRecord, MessageRecord } from "./messages.sql.ts";
import { messageDelivery, PROVIDER_AGENT, skipReasons, toDelivery } from "./messages.states.ts";
import { iso, isoOrNull } from "../../shared/time/iso-times.ts";

/** `npm run db:restored` sets the code `restored` after a restore of the database. */
const errorCodes = [...new Set([...messageErrorCodes, ...skipReasons, "restored" as const])] as const;

const errorCode = z.enum(errorCodes).meta({
  id: "MessageErrorCode",
  description:
    "Why the message failed, or why a campaign skipped it. Skipped messages appear only in events and in the campaign's recipients.",
});

const { text: _, ...shapesByType } = contentShapes;

export const templateContent = z
  .looseObject({ name: z.string(), language: z.string() })
  .meta({ id: "TemplateContent" });

const shapes = [...new Set(Object.values(shapesByType))];

const typesByShape = [
  ["text", "note"],
  ["template"],
  ...shapes.map((shape) => Object.entries(shapesByType).flatMap(([type, each]) => (each === shape ? [type] : []))),
];

const messageContent = z
  .union([z.string(), templateContent, ...shapes])
  .meta({
    id: "MessageContent",
    description:
      "The message's content. Its fields depend on `type`: a text for `text`, a file with its `media_id` for `image`, and so on.",
    override({ jsonSchema }) {
      const { anyOf = [] } = jsonSchema;
      delete jsonSchema.anyOf;
      jsonSchema.oneOf = anyOf.map((content, index) => ({
        type: "object",
        properties: { type: { enum: typesByShape[index] ?? [] }, content: { anyOf: [content, { type: "null" }] } },
        required: ["type", "content"],
      }));
    },
  })
  .nullable();

export const withContent = {
  override({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) {
    const content = {
      description:
        "The message's content, with fields that depend on `type`. Null for local templates and revoked messages.",
    };
    jsonSchema.properties = { ...jsonSchema.properties, content };
    jsonSchema.allOf = [{ $ref: "#/components/schemas/MessageContent" }];
  },
};

const messageType = z.enum(["text", "template", "note", ...Object.keys(shapesByType)]).meta({
  id: "MessageType",
  description:
    "`button_reply` and the types after it in this list occur only in received messages. `note` occurs only in a conversation's messages with `include=notes`.",
});

export const commonFields = {
  type: messageType,
  content: messageContent,
  reply_to: z.string().nullable().meta({ description: "Message that this message quotes or reacts to, if known." }),
  reply_to_provider_id: z.string().nullable().meta({
    description:
      "Provider's id of the message that this message quotes or reacts to, if Tidings has not stored that message.",
  }),
  reactions: z
    .array(z.strictObject({ emoji: z.string(), from_contact: z.boolean(), at: timestamp }))
    .meta({ description: "Reactions to the message, at most one from the person and one from the workspace." }),
  sent_by: z.enum(["contact", "workspace", PROVIDER_AGENT]).meta({
    description:
      "`workspace`: a member, software, a campaign or the account's own phone. `provider_agent`: the provider's own agent, such as Meta's.",
  }),
  standby: z.boolean().meta({
    description:
      "True if the provider's own agent handles or sent the message. If you send a message, you take over the conversation from the agent.",
  }),
  forwarded: z.boolean().meta({ description: "True if the person forwarded the message from another chat." }),
  referral: referral.nullable().meta({ description: "Advertisement or product that led the person to write." }),
  metadata: z
    .record(z.string(), z.string())
    .nullable()
    .meta({ description: "Your own strings, as sent with the message." }),
  send_at: timestamp.nullable().meta({ description: "Requested send time of a scheduled message." }),
  cost: z
    .strictObject({ billable: z.boolean().nullable(), category: z.string().nullable(), type: z.string().nullable() })
    .nullable()
    .meta({ description: "Pricing that the provider reported in the message's status updates." }),
  edited_at: timestamp
    .nullable()
    .meta({ description: "When the author last edited the message. `body` is the current text." }),
  revoked_at: timestamp.nullable().meta({ description: "When the author revoked the message." }),
};

export const fromContact = z.boolean().meta({ description: "True for received messages." });

const messageError = z
  .strictObject({
    code: errorCode,
    message: z.string().meta({ description: "Explanation for people." }),
    provider_code: z.string().nullable().meta({ description: "Provider's own error code, if any." }),
  })
  .meta({ id: "MessageError" });

export const messageView = z
  .strictObject({
    id: z.string(),
    conversation_id: z.string().nullable(),
    contact_id: z.string(),
    campaign_id: z.string().nullable(),
    template_id: z.string().nullable(),
    to: z.string().nullable().meta({ description: "Null for people without a phone number." }),
    body: z.string().meta({ description: "The content as one readable line, for every type of message." }),
    from_contact: fromContact,
    delivery: messageDelivery,
    provider_message_id: z.string().nullable().meta({ description: "Provider's id of the message." }),
    error: messageError.nullable(),
    created_at: timestamp,
    sent_at: timestamp.nullable().meta({ description: "When the provider accepted the message." }),
    delivered_at: timestamp.nullable().meta({ description: "When the message reached the device." }),
    read_at: timestamp.nullable(),
    failed_at: timestamp.nullable(),
    ...commonFields,
    versions: z
      .array(z.strictObject({ body: z.string(), written_at: timestamp }))
      .meta({ description: "Earlier texts of the message, one for each edit or revocation, oldest first." }),
  })
  .meta({ id: "Message", ...withContent });

export function presentMessageContent(record: HistoryRecord): z.infer<typeof messageContent> {
  const { type, content, template_id, template_form, body, revoked_at } = record;
  if (revoked_at !== null) return null;
  if (type !== null) return content;
  if (template_id === null) return body;
  return template_form === null ? null : presentTemplateParts(template_form);
}

export const presentType = ({ type, template_id }: Pick<HistoryRecord, "type" | "template_id">): string =>
  type ?? (template_id === null ? "text" : "template");

export function presentReactions(record: HistoryRecord) {
  const { contact_reaction, contact_reaction_at, own_reaction, own_reaction_at } = record;
  return [
    { emoji: contact_reaction, from_contact: true, at: contact_reaction_at },
    { emoji: own_reaction, from_contact: false, at: own_reaction_at },
  ].flatMap(({ emoji, from_contact, at }) =>
    emoji === null || emoji === "" || at === null ? [] : [{ emoji, from_contact, at: iso(at) }],
  );
}

function presentCost({ billable, price_category: category, price_type: type }: HistoryRecord) {
  const isPriced = billable !== null || category !== null || type !== null;
  return isPriced ? { billable, category, type } : null;
}

const presentSender = ({ from_contact, author_id }: HistoryRecord): z.infer<typeof commonFields.sent_by> =>
  from_contact ? "contact" : author_id === PROVIDER_AGENT ? PROVIDER_AGENT : "workspace";

export const presentCommonFields = (record: HistoryRecord) => ({
  type: presentType(record),
  content: presentMessageContent(record),
  reply_to: record.reply_to,
  reply_to_provider_id: record.reply_to_key,
  reactions: presentReactions(record),
  sent_by: presentSender(record),
  standby: record.is_standby ?? false,
  forwarded: record.is_forwarded ?? false,
  referral: record.referral,
  metadata: record.metadata,
  send_at: isoOrNull(record.send_at),
  cost: presentCost(record),
  edited_at: isoOrNull(record.edited_at),
  revoked_at: isoOrNull(record.revoked_at),
});

export const earlierVersions = ({ versions, revoked_at }: Pick<HistoryRecord, "versions" | "revoked_at">) =>
  revoked_at === null ? versions.slice(0, -1) : versions;

export const presentMessage = (record: MessageRecord): z.infer<typeof messageView> => ({
  id: record.id,
  conversation_id: record.conversation_id,
  contact_id: record.contact_id,
  campaign_id: record.campaign_id,
  template_id: record.template_id,
  to: isPhoneAddress(record.to) ? record.to : null,
  body: record.body,
  from_contact: record.from_contact,
  delivery: toDelivery(record.state),
  provider_message_id: record.provider_message_id,
  error:
    record.error_code === null
      ? null
      : {
          code: errorCode.safeParse(record.error_code).data ?? "provider_rejected",
          message: record.error_message ?? "",
          provider_code: record.provider_code,
        },
  created_at: iso(record.created_at),
  sent_at: isoOrNull(record.sent_at),
  delivered_at: isoOrNull(record.delivered_at),
  read_at: isoOrNull(record.read_at),
  failed_at: isoOrNull(record.failed_at),
  ...presentCommonFields(record),
  versions: earlierVersions(record).map(({ body, written_at }) => ({ body, written_at: iso(written_at) })),
});
