// Events in the API's answers.
import { readOwnJson, readRows } from "../../db/rows.ts";
import type { presentApiKey } from "../api-keys/api-keys.schemas.ts";
import { campaignRecord } from "../campaigns/campaigns.schemas.ts";
import { presentCampaign } from "../campaigns/campaigns.views.ts";
import { cannedReplyRecord, presentCannedReply } from "../canned-replies/canned-replies.schemas.ts";
import { type ContactLayout, contactRecord, presentContact } from "../contacts/contacts.schemas.ts";
import { conversationRecord, presentConversation } from "../conversations/conversations.schemas.ts";
import { customFieldRecord, presentCustomField } from "../custom-fields/custom-fields.schemas.ts";
import { eventId } from "../events/events.ids.ts";
import { type EventObject, kindOf } from "../events/events.types.ts";
import { presentMessage } from "../messages/messages.views.ts";
import { messageJsonRecord } from "../messages/messages.sql.ts";
import { noteRecord, presentNoteSummary } from "../messages/notes/notes.schemas.ts";
import { presentSegment, segmentRecord } from "../segments/segments.schemas.ts";
import { describeFilter, storedFilter } from "../segments/segments.stored.ts";
import { presentTag, tagRecord } from "../tags/tags.schemas.ts";
import { presentTemplate, templateRecord } from "../templates/templates.schemas.ts";
import {
  connectionInEvent,
  type EventData,
  type EventView,
  presentWebhookSummary,
  webhookSummaryRecord,
} from "./event-feed.schemas.ts";
import type { EventRow } from "./read-events.sql.ts";
import { iso } from "../../shared/iso-times.ts";

/** Everything beside its row that the view of an object is made from. */
interface Surroundings {
  workspaceId: string;
  layout: ContactLayout;
  /** By id: they are in another database. */
  apiKeys: ReadonlyMap<string, ReturnType<typeof presentApiKey>>;
  now: number;
  /** As of statements: tests compare what they give with its shape. */
  isChecked: boolean;
}

type Renderer = (json: string, surroundings: Surroundings) => EventData;

/** Each kind of object as the API shows it, from the JSON that `objectAsJson` makes. */
const renderers: ReadonlyMap<string, Renderer> = new Map<EventObject, Renderer>([
  [
    "message",
    (json, { isChecked }) => {
      const [record] = readRows(messageJsonRecord, [JSON.parse(json)], isChecked);
      return { message: record === undefined ? null : presentMessage(record) };
    },
  ],
  [
    "conversation",
    (json, { isChecked }) => ({
      conversation: presentConversation(readOwnJson(conversationRecord, json, isChecked)),
    }),
  ],
  ["note", (json, { isChecked }) => ({ note: presentNoteSummary(readOwnJson(noteRecord, json, isChecked)) })],
  [
    "contact",
    (json, { isChecked, layout }) => ({ contact: presentContact(readOwnJson(contactRecord, json, isChecked), layout) }),
  ],
  [
    "campaign",
    (json, { isChecked, now }) => ({ campaign: presentCampaign(readOwnJson(campaignRecord, json, isChecked), now) }),
  ],
  ["template", (json, { isChecked }) => ({ template: presentTemplate(readOwnJson(templateRecord, json, isChecked)) })],
  ["tag", (json, { isChecked }) => ({ tag: presentTag(readOwnJson(tagRecord, json, isChecked)) })],
  [
    "custom_field",
    (json, { isChecked }) => ({ custom_field: presentCustomField(readOwnJson(customFieldRecord, json, isChecked)) }),
  ],
  [
    "canned_reply",
    (json, { isChecked }) => ({ canned_reply: presentCannedReply(readOwnJson(cannedReplyRecord, json, isChecked)) }),
  ],
  ["segment", (json, { isChecked }) => ({ segment: presentSegment(readOwnJson(segmentRecord, json, isChecked)) })],
  [
    "webhook",
    (json, { isChecked }) => ({ webhook: presentWebhookSummary(readOwnJson(webhookSummaryRecord, json, isChecked)) }),
  ],
  ["connection", (json, { isChecked }) => ({ connection: readOwnJson(connectionInEvent, json, isChecked) })],
]);

/** Filters are logged in their stored form, with the names that tags and fields had then. */
const presentFilter = (stored: unknown) =>
  stored === null ? null : describeFilter(storedFilter.parse(stored), { tags: [] });

function presentChanges({ type, changes }: EventRow): EventView["changes"] {
  if (kindOf(type) !== "segment" || changes?.["filter"] === undefined) return changes;
  const [before, after] = changes["filter"];
  return { ...changes, filter: [presentFilter(before), presentFilter(after)] };
}

/** An event as the API shows it. */
export function presentEvent(row: EventRow, surroundings: Surroundings): EventView {
  const { sequence, at, type, actor_type, actor_id, object_id, object } = row;
  const kind = kindOf(type);
  const data =
    kind === "api_key"
      ? { api_key: surroundings.apiKeys.get(object_id) ?? null }
      : ((object === null ? undefined : renderers.get(kind)?.(object, surroundings)) ?? { [kind]: null });
  return {
    id: eventId(surroundings.workspaceId, { sequence, at }),
    sequence,
    type,
    created_at: iso(at),
    actor: { type: actor_type, id: actor_id },
    object_id,
    data,
    changes: presentChanges(row),
  };
}
