// Changing a campaign that has not started, and starting a draft.
import * as z from "zod";
import type { StartCampaign } from "../../../features/campaigns/campaigns.schemas.ts";
import { getCampaign } from "../../../features/campaigns/campaigns.service.ts";
import { getStoredRequest } from "../../../features/campaigns/edit/read-stored-campaign.ts";
import { previewDraft, startDraft } from "../../../features/campaigns/edit/start-draft.ts";
import { updateCampaign } from "../../../features/campaigns/edit/update-campaign.ts";
import { getCampaignRequest } from "../../../features/campaigns/start/describe-audience.ts";
import { requireConnection } from "../../../features/connections/connections.service.ts";
import { contactValueNames } from "../../../features/contacts/contacts.values.ts";
import { findMediaFiles } from "../../../features/media/find-media.ts";
import { sentFileIds } from "../../../features/templates/template-files.ts";
import { AppError } from "../../../shared/errors.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { type FormState, type SentValues, unsentForm } from "../../kit/forms.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { type HandlerResult, type Page, redirectTo, redirectWithError, showPage } from "../../kit/results.ts";
import { listAllCustomFields } from "../custom-fields/custom-fields-parts.tsx";
import { withCheckedFiles } from "../messages/template-files.ts";
import {
  attachFaultsToFields,
  campaignFormBody,
  formInputOf,
  readCampaignForm,
  startDraftForm,
  toFormFields,
  toPatch,
} from "./campaign-form-input.ts";
import { campaignFormPage } from "./campaign-form-page.tsx";
import { contextFor, describeStart, loadChosenTemplate } from "./campaign-new.tsx";
import { CAMPAIGNS } from "./campaign-parts.tsx";
import { CampaignPreview } from "./campaign-preview.tsx";

export const campaignEditPages = workspacePages();

/** The values of the form's fields, from what a campaign asks for. */
const fieldsOf = (request: StartCampaign, connectionId: string): SentValues =>
  new Map(
    Array.from(
      Map.groupBy(toFormFields(formInputOf(request, connectionId)), ([name]) => name),
      ([name, fields]) => [name, fields.map(([, value]) => value)],
    ),
  );

async function editPage(request: WorkspaceRequest, id: string, state: FormState | null): Promise<Page> {
  const { request: stored, connectionId, status } = await getStoredRequest(request.ctx, id);
  const here = request.path(`${CAMPAIGNS}/${id}`);
  const shown = state ?? { ...unsentForm, values: fieldsOf(stored, connectionId) };
  return campaignFormPage(request, shown, {
    title: `Edit ${stored.name ?? "the campaign"}`,
    action: `${here}/edit`,
    redraw: `${here}/edit/form`,
    back: here,
    submit: "Save",
    note:
      status === "draft"
        ? "Nothing is sent yet: you start the draft on its page."
        : "It stays scheduled. Its audience is counted again when you save.",
    starts: status === "draft" ? "now_or_later" : "later",
  });
}

campaignEditPages.get("/campaigns/:id/edit", {}, (request, { params: { id } }) => editPage(request, id, null));

/** Shows the form again as it was sent, for another template. */
campaignEditPages.post(
  "/campaigns/:id/edit/form",
  { body: z.record(z.string(), z.array(z.string())), read: ({ values }) => Object.fromEntries(values) },
  (request, { params: { id }, body }) =>
    editPage(request, id, { ...unsentForm, values: new Map(Object.entries(body)) }),
);

campaignEditPages.post(
  "/campaigns/:id/edit",
  {
    body: campaignFormBody,
    read: readCampaignForm,
    onInvalid: (request, { id }, form) => editPage(request, id, form),
  },
  async (request, { params: { id }, body }) => {
    const template = await loadChosenTemplate(request, body.template_id);
    const order = await withCheckedFiles(request.ctx, template.id, body);
    const changed = updateCampaign(contextFor(request, order), id, toPatch(order));
    await attachFaultsToFields(template, order, changed);
    return redirectTo(request.path(`${CAMPAIGNS}/${id}`), "Saved.");
  },
);

/** The recipients of a draft and the messages that they would get, with the button to start it. */
async function startPage(request: WorkspaceRequest, id: string, changed: string | null): Promise<Page> {
  const { ctx } = request;
  const [{ request: stored, connectionId }, { audience }, preview] = await Promise.all([
    getStoredRequest(ctx, id),
    getCampaignRequest(ctx, id),
    previewDraft(ctx, id),
  ]);
  const [fields, connection, files] = await Promise.all([
    listAllCustomFields(ctx),
    requireConnection(ctx, connectionId),
    findMediaFiles(ctx, sentFileIds(stored)),
  ]);
  const own = contactValueNames(fields.map(({ field_key: key }) => ({ key })));
  const order = formInputOf(stored, connectionId);
  const shown = { order, template: preview.template, files, preview, audience, own, connection, changed };
  return showPage({
    title: `Start ${stored.name ?? "the draft"}`,
    scripts: ["campaigns.client.js", "times.client.js"],
    body: <CampaignPreview {...shown} draftId={id} />,
    ...(changed !== null && { status: 409 }),
  });
}

campaignEditPages.get("/campaigns/:id/start", {}, async (request, { params: { id } }): Promise<HandlerResult> => {
  try {
    return await startPage(request, id, null);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "not_found") throw error;
    return redirectWithError(request.path(`${CAMPAIGNS}/${id}`), error.message);
  }
});

campaignEditPages.post("/campaigns/:id/start", { body: startDraftForm }, async (request, { params: { id }, body }) => {
  try {
    await startDraft(request.ctx, id, body);
    const done = describeStart(await getCampaign(request.ctx, id));
    return redirectTo(request.path(`${CAMPAIGNS}/${id}`), done);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "conflict") throw error;
    return startPage(request, id, error.message);
  }
});
