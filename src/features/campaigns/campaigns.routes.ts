import * as z from "zod";
import { publicApi, workspaceApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { encodeCursor, page } from "../../http/fields.ts";
import { csvHeaders, streamText } from "../../http/response/streamed-response.ts";
import {
  confirmedStartBody,
  contentErrors,
  exportRecipientsQuery,
  listCampaignsQuery,
  listRecipientsQuery,
  startCampaignBody,
} from "./campaigns.schemas.ts";
import {
  cancelCampaign,
  getCampaign,
  listCampaigns,
  pauseCampaign,
  reconcileCampaign,
  resumeCampaign,
} from "./campaigns.service.ts";
import { exportRecipients, listRecipients } from "./list-recipients.ts";
import {
  campaignView,
  presentCampaign,
  presentPreview,
  presentRecipient,
  previewView,
  recipientView,
  reconcileView,
  startedView,
} from "./campaigns.views.ts";
import { previewForStart } from "./start/preview-campaign.ts";
import { startCampaign } from "./start/start-campaign.ts";

export const campaignsApi = createApi("Campaigns", publicApi);

const audienceExample = {
  template_id: "tpl_01kb9rjw4s8d2f6g0a3k5j7z1q",
  channel: "unofficial" as const,
  filter_tags: ["Newsletter"],
  filter_tags_mode: "any" as const,
};

const variablesNote =
  "A template with positions such as {{1}} requires `variables`. Templates of category `AUTHENTICATION` return 422 `channel_mismatch`, because a login code is for one person.";

campaignsApi.get(
  "/campaigns",
  {
    name: "campaigns.list",
    tool: "read",
    summary: "List campaigns, newest first",
    description:
      "Returns each campaign with its counts, rate and estimated end. Without `limit`, returns all campaigns.",
    query: listCampaignsQuery,
    response: { campaigns: z.array(campaignView), next_cursor: z.string().nullable() },
  },
  async (ctx, { query: { limit, cursor } }) => {
    const rows = await listCampaigns(ctx, limit, cursor?.[0]);
    const { items, nextCursor } = page(rows, limit ?? rows.length, (row) => [row.id]);
    return { campaigns: items.map((record) => presentCampaign(record, ctx.now())), next_cursor: nextCursor };
  },
);

campaignsApi.post(
  "/campaigns",
  {
    name: "campaigns.start",
    tool: {
      destructive: true,
      idempotent: true,
      openWorld: true,
      requires: {
        argument: "audience_token",
        hint: "Preview the campaign first. Start it only if the person you work for agrees.",
      },
    },
    summary: "Start or schedule a campaign",
    description:
      "Filters combine with AND. Without filters, the audience is every reachable contact: not archived, not unsubscribed, not opted out of marketing, and with a phone number or a user id on the connection. Each person receives one message. " +
      "The audience is fixed at the start: contacts who match later are not added. Tidings checks opt-outs and archiving again before each message. The request counts the audience before it responds, which takes a few seconds for a million contacts. Follow the campaign with `campaigns.get`. Only one count can run in a workspace at a time; other requests wait for up to 10 seconds, then return 429 with Retry-After. With the `audience_token` of a preview, the request returns 409 if the audience has " +
      `changed since the preview. ${variablesNote}`,
    body: confirmedStartBody,
    example: audienceExample,
    status: 201,
    response: startedView,
    errors: [...contentErrors, "no_recipients", "conflict"],
  },
  async (ctx, { body: { audience_token, ...request } }) =>
    startCampaign(ctx, request, audience_token === undefined ? null : { token: audience_token }),
);

campaignsApi.post(
  "/campaigns/preview",
  {
    name: "campaigns.preview",
    tool: "read",
    summary: "Preview a campaign",
    description:
      "Returns the number of recipients and sample messages. Stores nothing, so read-only keys can call it. Only one count can run in a workspace at a time; other requests wait for up to 10 seconds, then return 429 with Retry-After. For more than 2,000 contacts, the number can be up to 5 seconds old. " +
      variablesNote,
    body: startCampaignBody,
    example: audienceExample,
    response: previewView,
    errors: [...contentErrors],
  },
  async (ctx, { body }) => presentPreview(await previewForStart(ctx, body)),
);

campaignsApi.get(
  "/campaigns/:id",
  {
    name: "campaigns.get",
    tool: "read",
    summary: "Get a campaign",
    description: "Returns the campaign with its counts, send rate and estimated end.",
    response: { campaign: campaignView },
    errors: ["not_found"],
  },
  async (ctx, { params }) => ({ campaign: presentCampaign(await getCampaign(ctx, params.id), ctx.now()) }),
);

const transitions = [
  {
    verb: "pause",
    summary: "Pause a campaign",
    description: "Stops sending within two seconds.",
    make: pauseCampaign,
    tool: { destructive: false, idempotent: true, openWorld: false },
  },
  {
    verb: "resume",
    summary: "Resume a campaign",
    description: "Continues sending. If `send_before` has passed, the campaign completes instead.",
    make: resumeCampaign,
  },
  {
    verb: "cancel",
    summary: "Cancel a campaign",
    description: "Skips all remaining recipients, immediately and permanently.",
    make: cancelCampaign,
    tool: { destructive: true, idempotent: true, openWorld: false },
  },
] as const;

for (const { verb, make, ...spec } of transitions) {
  campaignsApi.post(
    `/campaigns/:id/${verb}`,
    {
      name: `campaigns.${verb}`,
      ...spec,
      response: { campaign: campaignView },
      errors: ["not_found", "invalid_state"],
    },
    async (ctx, { params }) => ({ campaign: presentCampaign(await make(ctx, params.id), ctx.now()) }),
  );
}

campaignsApi.get(
  "/campaigns/:id/recipients",
  {
    name: "campaigns.recipients",
    tool: "read",
    summary: "List a campaign's recipients",
    description:
      "With `state`, a page can be short or empty before the last page. Continue until `next_cursor` is null.",
    query: listRecipientsQuery,
    response: { recipients: z.array(recipientView), next_cursor: z.string().nullable() },
    errors: ["not_found"],
  },
  async (ctx, { params, query: { state, limit, cursor } }) => {
    const { recipients, next } = await listRecipients(ctx, params.id, { state, limit, from: cursor?.[0] ?? 0 });
    return { recipients: recipients.map(presentRecipient), next_cursor: next === null ? null : encodeCursor([next]) };
  },
);

campaignsApi.stream(
  "/campaigns/:id/recipients.csv",
  {
    name: "campaigns.exportRecipients",
    type: "text/csv",
    summary: "Download a campaign's recipients",
    description:
      "Returns all recipients, or the recipients in `state`, as CSV (RFC 4180, UTF-8 with a byte order mark): contact_id, name, phone, user_id, state, reason, " +
      "error_message, sent_at, delivered_at, read_at, failed_at, updated_at, message_id. A cell that a spreadsheet would run as a formula begins with an apostrophe, so that the spreadsheet shows it as text.",
    query: exportRecipientsQuery,
    errors: ["not_found"],
  },
  async (ctx, { params, query, isHead }) => {
    const lines = await streamText(exportRecipients(ctx, params.id, query.state));
    if (isHead) await lines.cancel();
    return { status: 200, headers: csvHeaders(`recipients-${params.id}.csv`), body: isHead ? null : lines };
  },
);

export const reconciliationApi = createApi("Campaign counts", workspaceApi);

reconciliationApi.post(
  "/workspaces/:ws/campaigns/:id/reconcile",
  {
    name: "manage.campaigns.reconcile",
    summary: "Check a campaign's counts",
    description:
      "Recounts the campaign's recipients and returns the differences from the stored counts. Changes nothing.",
    response: reconcileView,
    errors: ["not_found"],
  },
  (ctx, { params }) => reconcileCampaign(ctx, params.id),
);
