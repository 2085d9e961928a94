import type * as z from "zod";
import type { apiKeyView } from "../features/api-keys/api-keys.schemas.ts";
import type { connectionView } from "../features/connections/connections.schemas.ts";
import type { connectionInEvent, webhookSummary } from "../features/event-feed/event-summaries.schemas.ts";
import type { deadEventView } from "../features/inbound/inbound.schemas.ts";
import type { invitationView, memberSummary, memberView } from "../features/members/members.schemas.ts";
import type { keyDayView, loggedRequestView } from "../features/request-log/request-log.schemas.ts";
import type { outboxDeliveryView, receiptView } from "../features/sandbox/sandbox.schemas.ts";
import type { dayView } from "../features/statistics/statistics.schemas.ts";
import type { attemptView, deliveryView, webhookView } from "../features/webhooks/webhooks.schemas.ts";
import type { workspaceView } from "../features/workspaces/workspaces.schemas.ts";
import { CREATED_AT, DELIVERED_AT, exampleIds as id, exampleMember, SENT_AT } from "./example-ids.ts";
import type { cannedReplyView } from "../features/canned-replies/canned-replies.schemas.ts";
import type { noteAuthor, noteSummary } from "../features/messages/notes/notes.schemas.ts";
import type { historyView } from "../features/messages/history/conversation-history.views.ts";

const summary: z.input<typeof webhookSummary> = {
  id: id.webhook,
  url: "https://hooks.example.org/tidings",
  description: "Orders",
  types: ["message.*", "contact.created"],
  campaigns: "include",
  connection_ids: null,
  batch: null,
  status: "active",
  status_reason: null,
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
};

const webhook: z.input<typeof webhookView> = {
  ...summary,
  sequence: 8214,
  lag: 0,
  last_success_at: DELIVERED_AT,
  last_failure_at: null,
};

const attempt: z.input<typeof attemptView> = {
  at: DELIVERED_AT,
  status: 500,
  duration_ms: 84,
  error: "The endpoint returned 500.",
  response: "Internal Server Error",
};

const delivery: z.input<typeof deliveryView> = {
  id: id.delivery,
  event_ids: [id.event],
  state: "pending",
  attempts: [attempt],
  next_attempt_at: "2026-12-01T09:30:07.100Z",
};

const connectionSummary: z.input<typeof connectionInEvent> = {
  id: id.connection,
  name: "Support line",
  channel: "official",
  provider: "whatsapp_cloud",
  status: "active",
  status_detail: null,
};

const connection: z.input<typeof connectionView> = {
  ...connectionSummary,
  is_default: true,
  messages_per_second: 80,
  messaging_limit: "TIER_10K",
  webhook_url: `https://tidings.example.com/hooks/${id.connection}`,
  config: { phone_number_id: "106540352242922", business_account_id: "102290129340398", access_token: "•••• x7Qd" },
  created_at: CREATED_AT,
};

const apiKey: z.input<typeof apiKeyView> = {
  id: id.key,
  name: "Shop",
  connection_id: id.connection,
  last_four: "m4Xq",
  expires_at: null,
  read_only: false,
  rate_limit: null,
  created_at: CREATED_AT,
  last_used_at: SENT_AT,
  revoked_at: null,
};

const loggedRequest: z.input<typeof loggedRequestView> = {
  number: 4211,
  created_at: SENT_AT,
  key_id: id.key,
  method: "GET",
  route: "/api/v1/contacts/:id",
  path: `/api/v1/contacts/${id.contact}`,
  query: [],
  status: 200,
  error_code: null,
  duration_ms: 11,
  request_id: "5c0d6c1a-0d3d-4c4e-9d0a-6f6f6c1b8f0e",
  repeats: 0,
};

const keyDay: z.input<typeof keyDayView> = { date: "2026-12-01", key_id: id.key, requests: 1840, errors: 12 };

const answered = { count: 41, median_seconds: 262, p90_seconds: 1450 };

const day: z.input<typeof dayView> = {
  date: "2026-12-01",
  messages: { received: 118, queued: 240, sent: 238, delivered: 231, read: 160, failed: 2 },
  campaign_messages: { sent: 1240, delivered: 1198, read: 804, failed: 10 },
  opt_outs: 4,
  opt_ins: 1,
  conversations: { opened: 52, done: 47 },
  answers: { people: answered, software: { count: 0, median_seconds: null, p90_seconds: null } },
  queued_by_key: [{ key_id: id.key, count: 199 }],
};

const workspace: z.input<typeof workspaceView> = {
  id: id.workspace,
  name: "Okafor Coffee",
  plan: "growth",
  time_zone: "Europe/Berlin",
  first_steps_hidden: true,
  created_at: CREATED_AT,
};

const member: z.input<typeof memberView> = {
  ...exampleMember,
  email: "nora@example.com",
  role: "admin",
  is_confirmed: true,
  created_at: CREATED_AT,
};

const invitation: z.input<typeof invitationView> = {
  id: id.invitation,
  email: "chidi@example.com",
  role: "agent",
  created_at: CREATED_AT,
  expires_at: "2026-11-09T09:15:04.218Z",
};

const deadEvent: z.input<typeof deadEventView> = {
  id: "01kb9sc3v6m0x4c8n2t5b7y9q1",
  connection_id: id.connection,
  queue: "tidings-events",
  reason: "It was tried too often.",
  payload: { v: 1, connectionId: id.connection },
  created_at: CREATED_AT,
};

const sandboxDelivery: z.input<typeof outboxDeliveryView> = {
  message_id: id.message,
  to: "+14155550100",
  body: "Your order 1042 is on its way.",
  type: "text",
  content: null,
  reply_to: null,
  attempt: 1,
  at: SENT_AT,
};

const receipt: z.input<typeof receiptView> = { from: "+14155550100", message_id: id.message };

export const exampleSettings = {
  WebhookSummary: summary,
  Webhook: webhook,
  WebhookAttempt: attempt,
  WebhookDelivery: delivery,
  ConnectionSummary: connectionSummary,
  Connection: connection,
  ApiKey: apiKey,
  LoggedRequest: loggedRequest,
  KeyUsage: keyDay,
  DayOfStatistics: day,
  Workspace: workspace,
  Member: member,
  Invitation: invitation,
  DeadEvent: deadEvent,
  SandboxDelivery: sandboxDelivery,
  SandboxReceipt: receipt,
};

const cannedReply: z.input<typeof cannedReplyView> = {
  id: id.cannedReply,
  shortcut: "hours",
  body: "Hello {{first_name|there}}, we are open from 9 to 18 h.",
  variables: ["first_name"],
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
};

const teammate: z.input<typeof memberSummary> = { ...exampleMember, role: "admin" };

const author: z.input<typeof noteAuthor> = { type: "member", ...exampleMember };

const note: z.input<typeof noteSummary> = {
  id: id.note,
  conversation_id: id.conversation,
  contact_id: id.contact,
  author,
  mentions: [exampleMember],
  created_at: CREATED_AT,
};

export const exampleNote: z.input<typeof historyView> = {
  id: note.id,
  type: "note",
  body: "Called back. @Nora Berg please send the invoice.",
  content: "Called back. @Nora Berg please send the invoice.",
  from_contact: false,
  delivery: null,
  created_at: CREATED_AT,
  reply_to: null,
  reply_to_provider_id: null,
  reactions: [],
  sent_by: "workspace",
  standby: false,
  forwarded: false,
  referral: null,
  metadata: null,
  send_at: null,
  cost: null,
  edited_at: null,
  revoked_at: null,
  author,
  mentions: note.mentions,
};

export const exampleTeam = { MemberSummary: teammate, CannedReply: cannedReply, NoteAuthor: author, Note: note };
