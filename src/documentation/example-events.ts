// An example of each event type.
import { eventComponent, loggedTypes } from "../features/event-feed/event-feed.schemas.ts";
import { kindOf } from "../features/events/events.types.ts";
import { member } from "./example-campaign-changes.ts";
import { eventCases, key } from "./example-changes.ts";
import { DELIVERED_AT, exampleIds as id } from "./example-ids.ts";
import { exampleRecords } from "./example-records.ts";
import { exampleSettings } from "./example-settings.ts";

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
  const { actor = key, changes = null, shown = {} } = eventCases.get(type) ?? {};
  return {
    id: id.event,
    type,
    sequence: 8214,
    created_at: DELIVERED_AT,
    actor,
    object_id: objectId,
    changes,
    data: { [object]: shown === null ? null : { ...view, ...shown } },
  };
};

const test = { ...event("webhook.test", "webhook"), id: id.delivery, sequence: null, actor: member };
const delivered = event("message.delivered", "message");

/** By component name. */
export const exampleEvents: Record<string, object> = {
  ...Object.fromEntries(loggedTypes.map((type) => [eventComponent(type), event(type, kindOf(type))])),
  [eventComponent("webhook.test")]: test,
  Event: delivered,
  DeliveredEvent: delivered,
  EventBatch: { events: [delivered, event("contact.created", "contact")] },
};
