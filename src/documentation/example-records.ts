import type * as z from "zod";
import type { campaignView, recipientView } from "../features/campaigns/campaigns.views.ts";
import type { jobView } from "../features/contacts/bulk/bulk.schemas.ts";
import type { contactView } from "../features/contacts/contacts.schemas.ts";
import type { conversationView } from "../features/conversations/conversations.schemas.ts";
import type { customFieldView } from "../features/custom-fields/custom-fields.schemas.ts";
import type { mediaView } from "../features/media/media.schemas.ts";
import type { historyView } from "../features/messages/history/conversation-history.views.ts";
import type { messageView } from "../features/messages/messages.views.ts";
import type { segmentView } from "../features/segments/segments.schemas.ts";
import type { tagView } from "../features/tags/tags.schemas.ts";
import type { templateView } from "../features/templates/templates.schemas.ts";
import { DELIVERED_AT, exampleIds as id, CREATED_AT, READ_AT, SENT_AT } from "./example-ids.ts";
import { exampleTeam } from "./example-settings.ts";

const content = {
  type: "text",
  content: "Your order 1042 is on its way.",
  reply_to: null,
  reply_to_provider_id: null,
  reactions: [{ emoji: "👍", from_contact: true, at: READ_AT }],
  sent_by: "workspace" as const,
  standby: false,
  forwarded: false,
  referral: null,
  metadata: { order: "1042" },
  send_at: null,
  cost: { billable: false, category: "service", type: "regular" },
  edited_at: null,
  revoked_at: null,
};

const message: z.input<typeof messageView> = {
  id: id.message,
  conversation_id: id.conversation,
  contact_id: id.contact,
  campaign_id: null,
  template_id: null,
  to: "+14155550100",
  body: content.content,
  from_contact: false,
  delivery: "read",
  provider_message_id: "wamid.HBgLMTQxNTU1NTAxMDAVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA",
  error: null,
  created_at: "2026-12-01T09:30:00.187Z",
  sent_at: SENT_AT,
  delivered_at: DELIVERED_AT,
  read_at: READ_AT,
  failed_at: null,
  ...content,
  versions: [],
};

const history: z.input<typeof historyView> = {
  id: id.message,
  body: message.body,
  from_contact: false,
  delivery: "read",
  created_at: message.created_at,
  ...content,
  author: null,
  mentions: [],
};

const tag: z.input<typeof tagView> = { id: id.tag, name: "VIP", color: "#2563eb", created_at: CREATED_AT };

const contact: z.input<typeof contactView> = {
  id: id.contact,
  name: "Ada Okafor",
  phone: "+14155550100",
  email: "ada.okafor@example.com",
  company: "Okafor Ltd",
  status: "active",
  lifecycle_stage: "customer",
  source: "api",
  is_unsubscribed: false,
  marketing_opt_out: false,
  is_archived: false,
  address_as: "Ada",
  tags: [{ id: tag.id, name: tag.name, color: tag.color }],
  custom_fields: { plan: "Gold" },
  external_ids: [],
  created_at: CREATED_AT,
  updated_at: SENT_AT,
};

const conversation: z.input<typeof conversationView> = {
  id: id.conversation,
  contact: { id: id.contact, name: contact.name, phone: contact.phone },
  connection_id: id.connection,
  channel: "official",
  last_message: message.body,
  last_message_at: message.created_at,
  unread_count: 0,
  status: "open",
  assignee: null,
  snoozed_until: null,
  labels: [],
};

const template: z.input<typeof templateView> = {
  id: id.template,
  name: "december_offer",
  body: "Hello {{1}}, {{2}} off all coffee until Sunday.",
  status: "APPROVED",
  source: "external",
  connection_id: id.connection,
  language: "en_US",
  category: "MARKETING",
  variables: ["1", "2"],
  components: [{ type: "BODY", text: "Hello {{1}}, {{2}} off all coffee until Sunday." }],
  quality: "GREEN",
  rejection_reason: null,
  sendable: true,
  missing: [],
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
};

const campaign: z.input<typeof campaignView> = {
  campaign_id: id.campaign,
  name: "December offer",
  template_id: id.template,
  channel: "official",
  connection_id: id.connection,
  status: "running",
  recipient_count: 1250,
  audience_ready_at: "2026-12-01T09:30:02.300Z",
  counts: { pending: 430, sent: 120, delivered: 512, read: 174, failed: 6, skipped: 8, unknown: 0 },
  cost: { marketing: { billable: 806, free: 0 } },
  rate_per_second: 41.5,
  estimated_completion_at: "2026-12-01T09:30:30.000Z",
  scheduled_at: null,
  send_before: null,
  started_at: "2026-12-01T09:30:00.500Z",
  completed_at: null,
  created_at: "2026-12-01T09:30:00.187Z",
  last_error: null,
};

const recipient: z.input<typeof recipientView> = {
  contact_id: id.contact,
  name: "Ada Okafor",
  phone: "+14155550100",
  user_id: null,
  state: "read",
  reason: null,
  message_id: id.message,
  updated_at: READ_AT,
};

const media: z.input<typeof mediaView> = {
  id: id.media,
  mime_type: "image/jpeg",
  bytes: 48_213,
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  filename: "menu.jpg",
  status: "stored",
  reason: null,
  created_at: CREATED_AT,
};

const customField: z.input<typeof customFieldView> = {
  id: id.customField,
  field_key: "plan",
  label: "Plan",
  type: "select",
  options: ["Silver", "Gold"],
  created_at: CREATED_AT,
};

const segment: z.input<typeof segmentView> = {
  id: id.segment,
  name: "Gold customers",
  filter: { match: "all", conditions: [{ field: "custom_fields.plan", op: "eq", value: "Gold" }] },
  invalid: false,
  reasons: [],
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
};

const job: z.input<typeof jobView> = {
  id: id.job,
  action: "add_tags",
  status: "running",
  total: 1250,
  done: 500,
  failed: 0,
  error: null,
  created_at: SENT_AT,
  finished_at: null,
};

export const exampleRecords = {
  Message: message,
  ConversationMessage: history,
  Tag: tag,
  Job: job,
  Contact: contact,
  Conversation: conversation,
  Template: template,
  Campaign: campaign,
  CampaignRecipient: recipient,
  Media: media,
  CustomField: customField,
  Segment: segment,
  ...exampleTeam,
};
