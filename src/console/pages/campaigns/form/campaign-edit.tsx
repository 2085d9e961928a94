import type { StartCampaign } from "../../../../features/campaigns/campaigns.schemas.ts";
import { getCampaign } from "../../../../features/campaigns/campaigns.service.ts";
import { getCampaignRequest, getStoredRequest } from "../../../../features/campaigns/read-stored-campaign.ts";
import { previewDraft, startDraft } from "../../../../features/campaigns/edit/start-draft.ts";
import { updateCampaign } from "../../../../features/campaigns/edit/update-campaign.ts";
import { requireConnection } from "../../../../features/connections/connections.service.ts";
import { contactValueNames } from "../../../../features/contacts/contacts.values.ts";
import { findMediaFiles } from "../../../../features/media/media.service.ts";
import { sentFileIds } from "../../../../features/templates/template-files.ts";
import { AppError } from "../../../../shared/errors.ts";
import { workspacePages } from "../../../kit/audiences.ts";
import { toastOfError } from "../../../kit/forms/faults.ts";
import { type FormState, type SentValues, unparsedForm, unsentForm } from "../../../kit/forms/forms.ts";
import type { WorkspaceRequest } from "../../../kit/request.ts";
import { type HandlerResult, redirectTo, redirectWithError, withStatus } from "../../../kit/results.ts";
import { Page } from "../../../kit/page/page.tsx";
import { withCheckedFiles } from "../../messages/template/template-files.tsx";
import {
  attachFaultsToFields,
  campaignFormBody,
  formInputOf,
  readCampaign,
  startDraftForm,
  toFormFields,
  toPatch,
} from "./campaign-form-input.ts";
import { campaignFormPage, contextFor, describeStart, loadChosenTemplate } from "./campaign-new.tsx";
import { CampaignPreview } from "./campaign-preview.tsx";
import { listAllCustomFields } from "../../choices.ts";

export const campaignEditPages = workspacePages();

/**
 * The form has two fields for a file: `media_id` for an upload, and `stored` for a choice from the stored files.
 * The campaign's file fills both.
 */
function fieldsOf(request: StartCampaign, connectionId: string): SentValues {
  const sent = toFormFields(formInputOf(request, connectionId));
  const storedFiles = sent.flatMap(([name, value]) =>
    name.endsWith(".media_id") ? [[name.replace(/media_id$/, "stored"), value] as const] : [],
  );
  const fields = [...sent, ...storedFiles];
  const byName = Array.from(Map.groupBy(fields, ([name]) => name));
  return new Map(byName.map(([name, all]) => [name, all.map(([, value]) => value)]));
}

function mergeValues(stored: SentValues, { values, conflict }: FormState): SentValues {
  if (conflict === null) return values;
  return new Map([...[...stored].filter(([name]) => !conflict.own.has(name)), ...values]);
}

async function editPage(request: WorkspaceRequest, id: string, state: FormState | null = request.refused) {
  const { request: startRequest, connectionId, status, revision } = await getStoredRequest(request.ctx, id);
  const here = request.path(`/campaigns/${id}`);
  const stored = fieldsOf(startRequest, connectionId);
  const current = state === null ? { ...unsentForm, values: stored } : { ...state, values: mergeValues(stored, state) };
  return campaignFormPage(request, current, {
    title: `Edit ${startRequest.name ?? "the campaign"}`,
    changes: { revision, stored },
    action: `${here}/edit`,
    redraw: `${here}/edit/form`,
    back: here,
    submit: "Save",
    note:
      status === "draft"
        ? "Nothing is sent until you start the campaign."
        : "The campaign stays scheduled. Saving counts its audience again.",
    starts: status === "draft" ? "now_or_later" : "later",
  });
}

campaignEditPages.get("/campaigns/:id/edit", {}, (request, { params: { id } }) => editPage(request, id));

campaignEditPages.post(
  "/campaigns/:id/edit/form",
  unparsedForm,
  (request, { params: { id }, body: { values, origin } }) => editPage(request, id, { ...unsentForm, values, origin }),
);

campaignEditPages.post(
  "/campaigns/:id/edit",
  {
    body: campaignFormBody,
    read: readCampaign(campaignFormBody),
    onInvalid: (request, { id }) => editPage(request, id),
  },
  async (request, { params: { id }, body }) => {
    const template = await loadChosenTemplate(request, body.template_id);
    const order = await withCheckedFiles(request.ctx, template.id, body);
    const changed = updateCampaign(contextFor(request, order), id, toPatch(order));
    await attachFaultsToFields(template, order, changed);
    return redirectTo(request.path(`/campaigns/${id}`), "Saved.");
  },
);

async function startPage(request: WorkspaceRequest, id: string, changed: string | null) {
  const { ctx } = request;
  const [{ request: stored, connectionId }, { audience }, preview] = await Promise.all([
    getStoredRequest(ctx, id),
    getCampaignRequest(ctx, id),
    previewDraft(ctx, id, { checksTimes: true }),
  ]);
  const [fields, connection, files] = await Promise.all([
    listAllCustomFields(ctx),
    requireConnection(ctx, connectionId),
    findMediaFiles(ctx, sentFileIds(stored)),
  ]);
  const own = contactValueNames(fields.map(({ field_key: key }) => ({ key })));
  const order = formInputOf(stored, connectionId);
  const { template } = preview;
  return (
    <Page title={`Start ${stored.name ?? "the draft"}`} scripts={["pages/preview.client.js", "times.client.js"]}>
      <CampaignPreview {...{ order, template, files, preview, audience, own, connection, changed }} draftId={id} />
    </Page>
  );
}

campaignEditPages.get("/campaigns/:id/start", {}, async (request, { params: { id } }): Promise<HandlerResult> => {
  try {
    return await startPage(request, id, null);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "not_found") throw error;
    const here = request.path(`/campaigns/${id}`);
    return error.code === "missing_variable"
      ? redirectWithError(`${here}/edit`, toastOfError(error))
      : redirectWithError(here, error.message);
  }
});

campaignEditPages.post("/campaigns/:id/start", { body: startDraftForm }, async (request, { params: { id }, body }) => {
  try {
    await startDraft(request.ctx, id, body);
    const done = describeStart(await getCampaign(request.ctx, id));
    return redirectTo(request.path(`/campaigns/${id}`), done);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "conflict") throw error;
    return withStatus(409, await startPage(request, id, error.message));
  }
});
