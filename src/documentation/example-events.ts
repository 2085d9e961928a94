import { eventComponent, loggedTypes } from "../features/event-feed/event-feed.schemas.ts";
import { kindOf } from "../features/events/events.types.ts";
import { campaignCases, type EventCase, member, system } from "./example-campaign-changes.ts";
import { DELIVERED_AT, exampleIds as id, exampleMember } from "./example-ids.ts";
import { exampleRecords } from "./example-records.ts";
import { exampleSettings } from "./example-settings.ts";

const key = { type: "api_key", id: id.key };
const provider = { type: "provider", id: id.connection };
const operator = { type: "operator", id: null };

const undelivered = { delivered_at: null, read_at: null, reactions: [], cost: null };
const inbound = { from_contact: true, metadata: null, cost: null };
const question = { body: "When will it be here?", content: "When will it be here?" };

export const eventCases = new Map<string, EventCase>([
  [
    "message.queued",
    { changes: { delivery: [null, "queued"] }, fields: { delivery: "queued", sent_at: null, ...undelivered } },
  ],
  [
    "message.received",
    {
      actor: provider,
      fields: {
        ...inbound,
        to: "+14155550100",
        ...question,
        delivery: "delivered",
        sent_at: null,
        read_at: null,
        reactions: [],
      },
    },
  ],
  [
    "message.sent",
    { actor: system, changes: { delivery: ["queued", "sent"] }, fields: { delivery: "sent", ...undelivered } },
  ],
  [
    "message.delivered",
    {
      actor: provider,
      changes: { delivery: ["sent", "delivered"] },
      fields: { delivery: "delivered", read_at: null, reactions: [] },
    },
  ],
  ["message.read", { actor: provider, changes: { delivery: ["delivered", "read"] }, fields: { reactions: [] } }],
  [
    "message.failed",
    {
      actor: provider,
      changes: { delivery: ["sent", "failed"] },
      fields: {
        delivery: "failed",
        ...undelivered,
        failed_at: DELIVERED_AT,
        error: { code: "undeliverable", message: "The message could not be delivered.", provider_code: "131026" },
      },
    },
  ],
  [
    "message.unknown",
    {
      actor: system,
      changes: { delivery: ["queued", "unknown"] },
      fields: { delivery: "unknown", provider_message_id: null, sent_at: null, ...undelivered },
    },
  ],
  [
    "message.edited",
    {
      actor: provider,
      changes: { body: ["When will it be her?", "When will it be here?"] },
      fields: {
        ...inbound,
        ...question,
        edited_at: DELIVERED_AT,
        versions: [{ body: "When will it be her?", written_at: "2026-12-01T09:29:58.000Z" }],
      },
    },
  ],
  [
    "message.revoked",
    {
      actor: provider,
      changes: { body: ["When will it be here?", "This message was deleted."] },
      fields: { ...inbound, body: "This message was deleted.", content: null, revoked_at: DELIVERED_AT, reactions: [] },
    },
  ],
  ["message.reaction", { actor: provider, changes: { contact_reaction: [null, "👍"] } }],
  ["conversation.opened", { changes: { status: ["done", "open"] } }],
  ["conversation.done", { actor: member, changes: { status: ["open", "done"] }, fields: { status: "done" } }],
  [
    "conversation.assigned",
    { actor: member, changes: { assignee_id: [null, exampleMember.id] }, fields: { assignee: exampleMember } },
  ],
  [
    "conversation.updated",
    { actor: member, changes: { labels: [[], ["Refund", "Urgent"]] }, fields: { labels: ["Refund", "Urgent"] } },
  ],
  ["conversation.read", { actor: member, changes: { unread_count: [2, 0] } }],
  [
    "note.created",
    { actor: member, changes: { conversation_id: [null, id.conversation], mentions: [null, [id.member]] } },
  ],
  [
    "contact.created",
    { changes: { name: [null, "Ada Okafor"], phone: [null, "+14155550100"], email: [null, "ada.okafor@example.com"] } },
  ],
  ["contact.updated", { changes: { company: [null, "Okafor Ltd"], lifecycle_stage: ["lead", "customer"] } }],
  ["contact.archived", { actor: member, changes: { is_archived: [false, true] }, fields: { is_archived: true } }],
  ["contact.restored", { actor: member, changes: { is_archived: [true, false] } }],
  ["contact.merged", { actor: provider, changes: { email: [null, "ada.okafor@example.com"] } }],
  [
    "contact.opted_out",
    { actor: provider, changes: { is_unsubscribed: [false, true] }, fields: { is_unsubscribed: true } },
  ],
  ["contact.opted_in", { actor: provider, changes: { is_unsubscribed: [true, false] } }],
  ["contact.identity_changed", { actor: provider, changes: { phone: ["+14155550177", "+14155550100"] } }],
  ...campaignCases,
  [
    "template.created",
    {
      changes: {
        name: [null, "december_offer"],
        body: [null, "Hello {{1}}, {{2}} off all coffee until Sunday."],
      },
    },
  ],
  ["template.updated", { changes: { category: ["UTILITY", "MARKETING"] } }],
  ["template.deleted", { fields: null }],
  ["template.status_changed", { actor: provider, changes: { status: ["PENDING", "APPROVED"] } }],
  [
    "template.quality_changed",
    { actor: provider, changes: { quality: ["GREEN", "YELLOW"] }, fields: { quality: "YELLOW" } },
  ],
  ["tag.created", { changes: { name: [null, "VIP"], color: [null, "#2563eb"] } }],
  ["tag.updated", { changes: { name: ["Gold", "VIP"] } }],
  ["tag.deleted", { fields: null }],
  [
    "custom_field.created",
    {
      changes: {
        field_key: [null, "plan"],
        label: [null, "Plan"],
        type: [null, "select"],
        options: [null, ["Silver", "Gold"]],
      },
    },
  ],
  ["custom_field.updated", { changes: { options: [["Silver"], ["Silver", "Gold"]] } }],
  ["custom_field.deleted", { fields: null }],
  ["canned_reply.created", { actor: member, changes: { shortcut: [null, "hours"] } }],
  ["canned_reply.updated", { actor: member, changes: { shortcut: ["opening", "hours"] } }],
  ["canned_reply.deleted", { actor: member, fields: null }],
  ["segment.created", { changes: { name: [null, "Gold customers"] } }],
  ["segment.updated", { changes: { name: ["Gold", "Gold customers"] } }],
  ["segment.deleted", { fields: null }],
  [
    "webhook.created",
    { changes: { url: [null, "https://hooks.example.org/tidings"], types: [null, ["message.*", "contact.created"]] } },
  ],
  ["webhook.updated", { changes: { description: [null, "Orders"] } }],
  ["webhook.deleted", { fields: null }],
  [
    "webhook.disabled",
    {
      actor: system,
      changes: { status: ["probing", "disabled"] },
      fields: { status: "disabled", status_reason: "It failed for five days." },
    },
  ],
  ["connection.created", { actor: operator, changes: { name: [null, "Support line"], is_default: [null, true] } }],
  ["connection.updated", { actor: operator, changes: { name: ["Support", "Support line"] } }],
  ["connection.deleted", { actor: operator, fields: null }],
  ["connection.status_changed", { actor: provider, changes: { status: ["error", "active"] } }],
  ["connection.limit_changed", { actor: provider, changes: { messaging_limit: ["TIER_1K", "TIER_10K"] } }],
  ["api_key.created", { actor: operator, changes: { name: [null, "Shop"] } }],
  [
    "api_key.revoked",
    { actor: operator, changes: { revoked_at: [null, DELIVERED_AT] }, fields: { revoked_at: DELIVERED_AT } },
  ],
]);

const { Message, Contact, Conversation, Campaign, Template, Tag, CustomField, Segment, CannedReply, Note } =
  exampleRecords;
const { WebhookSummary, ConnectionSummary, ApiKey } = exampleSettings;

const objects = new Map<string, { id: string; view: object }>([
  ["message", { id: id.message, view: Message }],
  ["conversation", { id: id.conversation, view: Conversation }],
  ["note", { id: id.note, view: Note }],
  ["contact", { id: id.contact, view: Contact }],
  ["campaign", { id: id.campaign, view: Campaign }],
  ["template", { id: id.template, view: Template }],
  ["tag", { id: id.tag, view: Tag }],
  ["custom_field", { id: id.customField, view: CustomField }],
  ["canned_reply", { id: id.cannedReply, view: CannedReply }],
  ["segment", { id: id.segment, view: Segment }],
  ["webhook", { id: id.webhook, view: WebhookSummary }],
  ["connection", { id: id.connection, view: ConnectionSummary }],
  ["api_key", { id: id.key, view: ApiKey }],
]);

const event = (type: string, object: string) => {
  const { id: objectId = "", view = {} } = objects.get(object) ?? {};
  const { actor = key, changes = null, fields = {} } = eventCases.get(type) ?? {};
  return {
    id: id.event,
    type,
    sequence: 8214,
    created_at: DELIVERED_AT,
    actor,
    object_id: objectId,
    changes,
    data: { [object]: fields === null ? null : { ...view, ...fields } },
  };
};

const test = { ...event("webhook.test", "webhook"), id: id.delivery, sequence: null, actor: member };
const delivered = event("message.delivered", "message");

export const exampleEvents: Record<string, object> = {
  ...Object.fromEntries(loggedTypes.map((type) => [eventComponent(type), event(type, kindOf(type))])),
  [eventComponent("webhook.test")]: test,
  Event: delivered,
  DeliveredEvent: delivered,
  EventBatch: { events: [delivered, event("contact.created", "contact")] },
};
