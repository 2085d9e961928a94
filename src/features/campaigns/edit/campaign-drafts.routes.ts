import * as z from "zod";
import { publicApi } from "../../../http/audiences.ts";
import { createApi } from "../../../http/endpoint.ts";
import { acceptedView, presentAccepted } from "../../messages/messages.schemas.ts";
import { contentErrors, startDraftBody, testCampaignBody, updateCampaignBody } from "../campaigns.schemas.ts";
import { campaignView, presentCampaign, presentPreview, previewView, startedView } from "../campaigns.views.ts";
import { duplicateCampaign } from "./duplicate-campaign.ts";
import { sendTestMessage } from "./send-test.ts";
import { previewDraft, startDraft } from "./start-draft.ts";
import { updateCampaign } from "./update-campaign.ts";

export const campaignDraftsApi = createApi("Campaigns", publicApi);

campaignDraftsApi.patch(
  "/campaigns/:id",
  {
    name: "campaigns.update",
    summary: "Change a campaign that has not started",
    description:
      "Changes a draft or a scheduled campaign. Omitted fields stay unchanged; null clears a field. Checks the changed campaign and counts its audience, as " +
      "`campaigns.start` does. Returns 409 if the campaign starts at the same moment, because a started campaign cannot change.",
    body: updateCampaignBody,
    example: { name: "December offer", filter_tags: ["Newsletter"] },
    response: { campaign: campaignView },
    errors: [...contentErrors, "no_recipients", "media_invalid"],
  },
  async (ctx, { params, body }) => ({
    campaign: presentCampaign(await updateCampaign(ctx, params.id, body), ctx.now()),
  }),
);

campaignDraftsApi.post(
  "/campaigns/:id/duplicate",
  {
    name: "campaigns.duplicate",
    summary: "Duplicate a campaign",
    description:
      "Copies the settings to a new draft with a name like “December offer (copy)”. Times that have passed are not copied. Tidings checks the draft and counts its audience " +
      "when you change or start the draft.",
    status: 201,
    response: { campaign: campaignView },
    errors: ["not_found"],
  },
  async (ctx, { params }) => ({ campaign: presentCampaign(await duplicateCampaign(ctx, params.id), ctx.now()) }),
);

campaignDraftsApi.post(
  "/campaigns/:id/preview",
  {
    name: "campaigns.previewDraft",
    tool: "read",
    summary: "Preview a draft",
    description:
      "Same as `campaigns.preview`, for a stored draft. Send the returned `audience_token` to `campaigns.startDraft`. Also previews a draft whose times have passed.",
    response: previewView,
    errors: [...contentErrors],
  },
  async (ctx, { params }) => presentPreview(await previewDraft(ctx, params.id, { checksTimes: false })),
);

campaignDraftsApi.post(
  "/campaigns/:id/start",
  {
    name: "campaigns.startDraft",
    summary: "Start a draft",
    description:
      "Checks and counts the draft like `campaigns.start` and returns the same body. The campaign runs immediately, or is scheduled if `scheduled_at` is in the future. A `scheduled_at` " +
      "in the past is an error. If the campaign has already been started with this `audience_token`, the request returns the " +
      "same body and starts nothing.",
    body: startDraftBody,
    isBodyOptional: true,
    example: {},
    response: startedView,
    errors: [...contentErrors, "no_recipients", "media_invalid", "conflict"],
  },
  async (ctx, { params, body: { audience_token: token } }) =>
    startDraft(ctx, params.id, token === undefined ? null : { token }),
);

campaignDraftsApi.post(
  "/campaigns/:id/test",
  {
    name: "campaigns.test",
    summary: "Send a test of a campaign",
    description:
      "Sends the campaign's message to one number through the campaign's connection, with the values of the contact that has this number. A missing value " +
      "appears as a sample in brackets, like `[name]`; `sample_variables` lists its field. If no contact has the number, every contact field except `phone` is a sample. " +
      "The test is a direct message, so it is not among the campaign's recipients and does not change the counts. The campaign can have any status.",
    body: testCampaignBody,
    example: { to: "+14155550100" },
    status: 202,
    response: {
      ...acceptedView,
      sample_variables: z.array(z.string()).meta({
        description: "Contact fields without a value. The message has samples in their place.",
      }),
    },
    errors: [...contentErrors, "media_invalid", "unsubscribed", "unreachable"],
  },
  async (ctx, { params, body }) => {
    const accepted = await sendTestMessage(ctx, params.id, body.to);
    return { ...presentAccepted(accepted), sample_variables: accepted.sample_variables ?? [] };
  },
);
