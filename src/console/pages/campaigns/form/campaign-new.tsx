import * as z from "zod";
import type { CampaignRecord } from "../../../../features/campaigns/campaigns.schemas.ts";
import { previewCampaign } from "../../../../features/campaigns/start/preview-campaign.ts";
import { startCampaign } from "../../../../features/campaigns/start/start-campaign.ts";
import { getCampaign } from "../../../../features/campaigns/campaigns.service.ts";
import { requireConnection } from "../../../../features/connections/connections.service.ts";
import { contactValueNames } from "../../../../features/contacts/contacts.values.ts";
import { findMediaFiles } from "../../../../features/media/media.service.ts";
import { getSegment } from "../../../../features/segments/segments.service.ts";
import { sentFileIds } from "../../../../features/templates/template-files.ts";
import type { TemplateRecord } from "../../../../features/templates/templates.schemas.ts";
import { getTemplate } from "../../../../features/templates/templates.service.ts";
import { sendingThrough } from "../../../../shared/context.ts";
import { AppError, invalid } from "../../../../shared/errors.ts";
import { formatCount } from "../../../kit/format.ts";
import { redirectTo, withStatus } from "../../../kit/results.ts";
import { workspacePages } from "../../../kit/audiences.ts";
import type { WorkspaceRequest } from "../../../kit/request.ts";
import { Page } from "../../../kit/page/page.tsx";
import { unparsedForm, unsentForm } from "../../../kit/forms/forms.ts";
import { withCheckedFiles } from "../../messages/template/template-files.ts";
import { campaignFormPage } from "./campaign-form-page.tsx";
import {
  attachFaultsToFields,
  confirmedCampaignBody,
  type CampaignFormInput,
  campaignFormBody,
  readCampaign,
  toStartCampaign,
} from "./campaign-form-input.ts";
import { CAMPAIGNS } from "../campaign-parts.tsx";
import { CampaignPreview } from "./campaign-preview.tsx";
import type { AudienceDescription } from "../../../../features/campaigns/edit/stored-request.ts";
import { listAllCustomFields } from "../../custom-fields/custom-fields-parts.tsx";

export const newCampaignPages = workspacePages();

const newFormPage = (request: WorkspaceRequest, state = request.refused ?? unsentForm) =>
  campaignFormPage(request, state, {
    title: "New campaign",
    action: request.path(`${CAMPAIGNS}/preview`),
    redraw: request.path(`${CAMPAIGNS}/new`),
    back: request.path(CAMPAIGNS),
    submit: "Preview",
    note: "Nothing is sent yet: you review the recipients and messages first.",
    starts: "now_or_later",
  });

export async function loadChosenTemplate({ ctx }: WorkspaceRequest, id: string): Promise<TemplateRecord> {
  try {
    return await getTemplate(ctx, id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalid({
      path: "template_id",
      code: error.code,
      message: "This template was deleted. Choose another template.",
    });
  }
}

async function describedAudience({ ctx }: WorkspaceRequest, order: CampaignFormInput): Promise<AudienceDescription> {
  const {
    filter_tags: tags = [],
    filter_tags_mode: mode = "all",
    filter_status: status = null,
    segment_id: id,
  } = order;
  return { tags, mode, status, segment: id === undefined ? null : { id, name: (await getSegment(ctx, id)).name } };
}

/** The context for the chosen connection, or the channel's default. */
export const contextFor = ({ ctx }: WorkspaceRequest, { connection_id: id }: CampaignFormInput) =>
  id === undefined ? ctx : sendingThrough(ctx, id);

/** The preview with the start button. `changed` explains why an earlier confirmation failed. */
async function previewPage(request: WorkspaceRequest, sent: CampaignFormInput, changed: string | null = null) {
  const template = await loadChosenTemplate(request, sent.template_id);
  const order = await withCheckedFiles(request.ctx, template.id, sent);
  const [preview, audience, fields, connection, files] = await attachFaultsToFields(
    template,
    order,
    Promise.all([
      previewCampaign(contextFor(request, order), toStartCampaign(order)),
      describedAudience(request, order),
      listAllCustomFields(request.ctx),
      order.connection_id === undefined ? null : requireConnection(request.ctx, order.connection_id),
      findMediaFiles(request.ctx, sentFileIds(order)),
    ]),
  );
  const own = contactValueNames(fields.map(({ field_key: key }) => ({ key })));
  const shown = {
    order,
    template,
    files,
    preview,
    audience,
    own,
    connection,
    changed,
  };
  return (
    <Page title={order.name ?? template.name} scripts={["pages/preview.client.js", "times.client.js"]}>
      <CampaignPreview {...shown} />
    </Page>
  );
}

const startQuery = z.object({ template_id: z.string(), segment_id: z.string() }).partial();

/** The query may select a template and a segment. */
newCampaignPages.get("/campaigns/new", { query: startQuery }, (request, { query }) => {
  const sent = Object.entries(query).map(([name, value]) => [name, value === undefined ? [] : [value]] as const);
  const values = new Map(sent.filter(([, all]) => all.length > 0));
  return newFormPage(request, { ...unsentForm, values });
});

/** Renders the submitted form again, for another template or after the preview. */
newCampaignPages.post("/campaigns/new", unparsedForm, (request, { body: { values } }) =>
  newFormPage(request, { ...unsentForm, values }),
);

// A GET of these form addresses has no page, so it redirects.
for (const at of ["/campaigns/preview", "/campaigns/start"] as const) {
  newCampaignPages.get(at, {}, ({ path }) => redirectTo(path(`${CAMPAIGNS}/new`)));
}

newCampaignPages.post(
  "/campaigns/preview",
  { body: campaignFormBody, read: readCampaign(campaignFormBody), onInvalid: (request) => newFormPage(request) },
  (request, { body }) => previewPage(request, body),
);

export function describeStart({ status, recipient_count }: CampaignRecord): string {
  const people = formatCount(recipient_count, "person", "people");
  return status === "scheduled"
    ? `Campaign scheduled. It currently reaches ${people}.`
    : `Campaign started. It reaches ${people}.`;
}

newCampaignPages.post(
  "/campaigns/start",
  {
    body: confirmedCampaignBody,
    read: readCampaign(confirmedCampaignBody),
    onInvalid: (request) => newFormPage(request),
  },
  async (request, { body: { recipients, fingerprint, ...sent } }) => {
    const template = await loadChosenTemplate(request, sent.template_id);
    const order = await withCheckedFiles(request.ctx, template.id, sent);
    const start = toStartCampaign(order);
    try {
      const { campaign_id: id } = await attachFaultsToFields(
        template,
        order,
        startCampaign(contextFor(request, order), start, { recipients, fingerprint }),
      );
      return redirectTo(request.path(`${CAMPAIGNS}/${id}`), describeStart(await getCampaign(request.ctx, id)));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "conflict") throw error;
      return withStatus(409, await previewPage(request, order, error.message));
    }
  },
);
