// Raw SQL, because these statements are subqueries of the query that reads a page of events.
import { sql, type SQL } from "drizzle-orm";
import type * as z from "zod";
import { columns } from "../../db/columns.ts";
import { readOwnJson, readRows } from "../../db/rows.ts";
import { connections, webhooks } from "../../db/schema/index.ts";
import type { Ctx } from "../../shared/context.ts";
import { apiKeyView } from "../api-keys/api-keys.schemas.ts";
import { campaignRecord } from "../campaigns/campaigns.schemas.ts";
import { campaignAsJson } from "../campaigns/campaigns.sql.ts";
import { campaignView, presentCampaign } from "../campaigns/campaigns.views.ts";
import { cannedReplyRecord, cannedReplyView, presentCannedReply } from "../canned-replies/canned-replies.schemas.ts";
import { cannedReplyAsJson } from "../canned-replies/canned-replies.sql.ts";
import { type ContactLayout, contactRecord, contactView, presentContact } from "../contacts/contacts.schemas.ts";
import { contactByIdAsJson } from "../contacts/contacts.sql.ts";
import { conversationRecord, conversationView, presentConversation } from "../conversations/conversations.schemas.ts";
import { conversationAsJson } from "../conversations/conversations.sql.ts";
import { customFieldRecord, customFieldView, presentCustomField } from "../custom-fields/custom-fields.schemas.ts";
import { customFieldAsJson } from "../custom-fields/custom-fields.sql.ts";
import type { EventKind } from "../events/events.types.ts";
import { messageAsJson, messageJsonRecord } from "../messages/messages.sql.ts";
import { messageView, presentMessage } from "../messages/messages.views.ts";
import { noteRecord, noteSummary, presentNoteSummary } from "../messages/notes/notes.schemas.ts";
import { noteAsJson } from "../messages/notes/notes.service.ts";
import { presentSegment, segmentRecord, segmentView } from "../segments/segments.schemas.ts";
import { segmentAsJson } from "../segments/segments.sql.ts";
import { presentTag, tagRecord, tagView } from "../tags/tags.schemas.ts";
import { tagAsJson } from "../tags/tags.sql.ts";
import { presentTemplate, templateRecord, templateView } from "../templates/templates.schemas.ts";
import { templateAsJson } from "../templates/templates.sql.ts";
import {
  connectionInEvent,
  presentWebhookSummary,
  webhookSummary,
  webhookSummaryRecord,
} from "./event-summaries.schemas.ts";

const k = columns(connections, "k");
const w = columns(webhooks, "w");

export interface ViewContext {
  layout: ContactLayout;
  now: number;
  /** True in tests. `present` then checks the JSON from SQL against the schema of the record. */
  isChecked: boolean;
}

interface ObjectKind<View extends z.ZodType> {
  view: View;
  asJson: ((ctx: Ctx, id: SQL) => SQL) | null;
  present(json: string, context: ViewContext): z.infer<View> | null;
}

const kind = <Stored, View extends z.ZodType>(
  view: View,
  asJson: (ctx: Ctx, id: SQL) => SQL,
  record: z.ZodType<Stored>,
  present: (stored: Stored, context: ViewContext) => z.infer<View>,
): ObjectKind<View> => ({
  view,
  asJson,
  present: (json, context) => present(readOwnJson(record, json, context.isChecked), context),
});

const connectionAsJson = ({ workspace }: Ctx, id: SQL): SQL => sql`
  SELECT json_object('id', ${k.id}, 'name', ${k.name}, 'channel', ${k.channel}, 'provider', ${k.provider}, 'status', ${k.status},
    'status_detail', ${k.statusDetail}) AS result
  FROM connections k WHERE ${k.id} = ${id} AND ${k.workspaceId} = ${workspace.id} AND ${k.deletedAt} IS NULL`;

const webhookAsJson = ({ workspace }: Ctx, id: SQL): SQL => sql`
  SELECT json_object('id', ${w.id}, 'url', ${w.url}, 'description', ${w.description}, 'types', json(${w.types}), 'campaigns', ${w.campaigns},
    'connection_ids', json(${w.connectionIds}), 'batch', json(${w.batch}), 'status', ${w.status}, 'status_reason', ${w.statusReason},
    'created_at', ${w.createdAt}, 'updated_at', ${w.updatedAt}) AS result
  FROM webhooks w WHERE ${w.id} = ${id} AND ${w.workspaceId} = ${workspace.id}`;

export const eventObjects = {
  message: {
    view: messageView,
    asJson: messageAsJson,
    present(json, { isChecked }) {
      const [record] = readRows(messageJsonRecord, [JSON.parse(json)], isChecked);
      return record === undefined ? null : presentMessage(record);
    },
  } satisfies ObjectKind<typeof messageView>,
  conversation: kind(conversationView, conversationAsJson, conversationRecord, presentConversation),
  note: kind(noteSummary, noteAsJson, noteRecord, presentNoteSummary),
  contact: kind(contactView, contactByIdAsJson, contactRecord, (stored, { layout }) => presentContact(stored, layout)),
  campaign: kind(campaignView, campaignAsJson, campaignRecord, (stored, { now }) => presentCampaign(stored, now)),
  template: kind(templateView, templateAsJson, templateRecord, presentTemplate),
  tag: kind(tagView, tagAsJson, tagRecord, presentTag),
  custom_field: kind(customFieldView, customFieldAsJson, customFieldRecord, presentCustomField),
  canned_reply: kind(cannedReplyView, cannedReplyAsJson, cannedReplyRecord, presentCannedReply),
  segment: kind(segmentView, segmentAsJson, segmentRecord, presentSegment),
  webhook: kind(webhookSummary, webhookAsJson, webhookSummaryRecord, presentWebhookSummary),
  connection: kind(connectionInEvent, connectionAsJson, connectionInEvent, (stored) => stored),
  api_key: { view: apiKeyView, asJson: null, present: () => null },
} satisfies Record<EventKind, ObjectKind<z.ZodType>>;

const byKind: ReadonlyMap<string, ObjectKind<z.ZodType>> = new Map(Object.entries(eventObjects));

export const presentObject = (name: string, json: string, context: ViewContext): unknown =>
  byKind.get(name)?.present(json, context) ?? null;

/** Selects the current state of the object. It can differ from the state at the time of the event. */
export function objectAsJson(ctx: Ctx): SQL {
  const cases = [...byKind].flatMap(([name, { asJson }]) =>
    asJson === null ? [] : [sql`WHEN ${sql.raw(`'${name}'`)} THEN (${asJson(ctx, sql`page.object_id`)})`],
  );
  return sql`CASE substr(page.type, 1, instr(page.type, '.') - 1) ${sql.join(cases, sql` `)} END`;
}
