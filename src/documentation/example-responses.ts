import { DELIVERED_AT, exampleIds as id } from "./example-ids.ts";
import { exampleNote } from "./example-settings.ts";

const counts = { pending: 430, sent: 120, delivered: 512, read: 174, failed: 6, skipped: 8, unknown: 0 };
const cost = { marketing: { billable: 806, free: 0 } };
const accepted = { message_id: id.message, conversation_id: id.conversation, contact_id: id.contact, status: "queued" };
const secret = { secret: "whsec_c2VjcmV0IG9mIGEgd2ViaG9vaywgMjQgYg==" };
const expires_at = "2026-12-02T09:30:00.000Z";
const unsubscribed = {
  code: "unsubscribed",
  message: "This person has unsubscribed.",
  details: { contact_id: id.otherContact },
};
const invalidPhone = {
  code: "validation_failed",
  message: "Check phone.",
  details: [
    {
      path: "phone",
      code: "invalid_phone",
      message: "Must be a phone number in international format, like +14155550100.",
    },
  ],
};

const campaignStarted = { campaign_id: id.campaign, recipient_count: 1250, status: "running" };
const campaignPreview = {
  recipient_count: 1250,
  excluded: { archived: 3, unsubscribed: 41, marketing_opt_out: 12, no_phone: 7, no_address: 0, duplicate: 2 },
  samples: [
    {
      contact_id: id.contact,
      phone: "+14155550100",
      body: "Hello Ada, 20% off all coffee until Sunday.",
      content: { name: "december_offer", language: "en_US" },
    },
  ],
  audience_token: "1796118000000.1250-3-41-12-7-0-2.Fu2J5m1n0o5XHk2d0cQw1r8fG7uT3vY6bN4pLzKqEjs",
};

export const exampleResponses: Record<string, Record<string, unknown>> = {
  "me.get": {
    workspace: { id: id.workspace, name: "Okafor Coffee", plan: "growth" },
    connection: {
      id: id.connection,
      name: "Support line",
      channel: "official",
      provider: "whatsapp_cloud",
      status: "active",
    },
    api_key: {
      id: id.key,
      name: "Shop",
      read_only: false,
      scopes: null,
      expires_at: null,
      rate_limit: { requests: 600, window_seconds: 60 },
    },
    usage: { requests: { used: 12, remaining: 588, reset_seconds: 41 } },
  },
  "messages.send": accepted,
  "templates.send": accepted,
  "conversations.reply": accepted,
  "messages.sendBatch": {
    results: [
      { index: 0, ...accepted, error: null },
      { index: 1, message_id: null, conversation_id: null, contact_id: null, status: "failed", error: unsubscribed },
    ],
    counts: { queued: 1, scheduled: 0, failed: 1 },
  },
  "campaigns.start": campaignStarted,
  "campaigns.preview": campaignPreview,
  "campaigns.previewDraft": campaignPreview,
  "campaigns.startDraft": campaignStarted,
  "campaigns.test": { ...accepted, sample_variables: ["company"] },
  "conversations.addNote": { message: exampleNote },
  "contacts.list": { limit: 20, offset: 0, has_more: false, total: 1 },
  "contacts.upsert": { created: true, updated: false, restored: false, matched_by: null },
  "contacts.upsertBatch": {
    results: [
      { index: 0, status: "created", contact_id: id.contact, error: null },
      { index: 1, status: "failed", contact_id: null, error: invalidPhone },
    ],
    counts: { created: 1, updated: 0, unchanged: 0, failed: 1 },
  },
  "conversations.start": { created: true },
  "conversations.bulkUpdate": {
    results: [{ index: 0, status: "updated", conversation_id: id.conversation, error: null }],
    counts: { updated: 1, unchanged: 0, failed: 0 },
  },
  "contacts.merge": {
    moved: { conversations: 1, messages: 14, tags: 1, fields: 2 },
    dropped: { name: "Ada O.", "custom_fields.plan": "free", labels: ["billing"] },
  },
  "segments.count": { count: 214 },
  "events.list": { next_after: id.event, has_more: false },
  "webhooks.create": secret,
  "webhooks.rotateSecret": secret,
  "webhooks.pause": { skipped: 0 },
  "webhooks.enable": { skipped: 0 },
  "webhooks.replay": { replay: { count: 18 } },
  "manage.status.get": {
    status: {
      sending: "on",
      version: { id: "5d8e1f0a-3c6b-4b8e-9d27-8f1c2a7e4b60", tag: "" },
      control_database_bytes: 1_240_367_104,
      shards: [
        {
          shard: 0,
          database_bytes: 1_240_367_104,
          queued_messages: 3,
          oldest_due_seconds: 1,
          running_campaigns: 2,
          stopped_campaigns: [],
          failing_connections: [{ workspace_id: id.workspace, id: id.connection, status: "disconnected" }],
          dead_events: 0,
          oldest_dead_event_seconds: null,
          dead_event_workspaces: [],
          overdue_webhooks: [],
        },
      ],
      queues: [{ queue: "direct", messages: 2, oldest_seconds: 1 }],
      dead_events_in_bucket: 0,
      oldest_dead_event_in_bucket_seconds: null,
      unreachable: [],
    },
  },
  "manage.members.createResetLink": {
    reset_link: { url: "https://tidings.example.com/console/reset#k3J8sVb2Qx7Lw0Zt5Ny9", expires_at },
  },
  "manage.invitations.create": {
    invitation: {
      id: id.invitation,
      url: "https://tidings.example.com/console/invitations#h6Tq1Rf8Yc4Md0Wp3Kz7",
      expires_at,
    },
  },
  "manage.connections.create": { secrets: { verify_token: "5hXw8rQk2LmZ9vTc" } },
  "manage.connections.syncTemplates": { created: 2, updated: 1, removed: 0 },
  "manage.connections.test": { detail: "Okafor Coffee, +1 415 555 0100" },
  "manage.connections.simulate": { message_id: id.message },
  "manage.apiKeys.create": { key: "tdg_8sKq2LmZ9vTc5hXw3rBn7yJd0fGa4uPe1oXKm4Xq" },
  "manage.campaigns.reconcile": {
    stored: { ...counts, sent: 121, delivered: 511 },
    actual: counts,
    differences: { sent: -1, delivered: 1 },
    cost: { stored: cost, actual: cost },
  },
  "webhooks.test": { attempt: { at: DELIVERED_AT, status: 200, duration_ms: 84, error: null, response: "ok" } },
};
