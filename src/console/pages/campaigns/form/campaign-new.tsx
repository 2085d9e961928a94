import * as z from "zod";
import { requireConnection } from "../../../../features/connections/connections.service.ts";
import { getSegment } from "../../../../features/segments/segments.service.ts";
import { isAuthentication, parseTemplate } from "../../../../features/templates/model/parse-template.ts";
import { listTemplates, getTemplate } from "../../../../features/templates/templates.service.ts";
import { ButtonLink } from "../../../kit/actions.tsx";
import { EmptyState } from "../../../kit/feedback.tsx";
import { type FormState, unparsedForm, unsentForm } from "../../../kit/forms/forms.ts";
import type { WorkspaceRequest } from "../../../kit/request.ts";
import { Page } from "../../../kit/page/page.tsx";
import { loadFiles, takesFiles, withCheckedFiles } from "../../messages/template/template-files.tsx";
import { CampaignForm, type CampaignFormUse } from "./campaign-form.tsx";
import type { CampaignRecord } from "../../../../features/campaigns/campaigns.schemas.ts";
import { previewCampaign } from "../../../../features/campaigns/start/preview-campaign.ts";
import { startCampaign } from "../../../../features/campaigns/start/start-campaign.ts";
import { getCampaign } from "../../../../features/campaigns/campaigns.service.ts";
import { contactValueNames } from "../../../../features/contacts/contacts.values.ts";
import { findMediaFiles } from "../../../../features/media/media.service.ts";
import { sentFileIds } from "../../../../features/templates/template-files.ts";
import type { TemplateRecord } from "../../../../features/templates/templates.schemas.ts";
import { sendingThrough } from "../../../../shared/context.ts";
import { AppError, invalid } from "../../../../shared/errors.ts";
import { formatCount } from "../../../kit/format.ts";
import { redirectTo, withStatus } from "../../../kit/results.ts";
import { workspacePages } from "../../../kit/audiences.ts";
import {
  attachFaultsToFields,
  confirmedCampaignBody,
  type CampaignFormInput,
  campaignFormBody,
  readCampaign,
  toStartCampaign,
} from "./campaign-form-input.ts";
import { CampaignPreview } from "./campaign-preview.tsx";
import type { AudienceDescription } from "../../../../features/campaigns/edit/stored-request.ts";
import { listAllCustomFields, listAllConnections, listAllTags, listAllSegments } from "../../choices.ts";

export async function campaignFormPage(request: WorkspaceRequest, state: FormState, use: CampaignFormUse) {
  const { ctx, path } = request;
  const [approved, connections, tags, segments, fields] = await Promise.all([
    listTemplates(ctx, { status: "APPROVED", source: undefined, limit: undefined, before: undefined }),
    listAllConnections(ctx),
    listAllTags(ctx),
    listAllSegments(ctx),
    listAllCustomFields(ctx),
  ]);
  const templates = approved.filter(
    (each) => parseTemplate(each).unsupported.length === 0 && !isAuthentication(each.category),
  );
  const template = templates.find(({ id }) => id === state.values.get("template_id")?.[0]) ?? null;
  const fieldKeys = fields.map(({ field_key }) => field_key);
  const files = await loadFiles(ctx, state.values, template !== null && takesFiles(template));
  return (
    <Page title={use.title} scripts={["times.client.js", "pages/preview.client.js", "pages/upload.client.js"]}>
      {templates.length === 0 ? (
        <EmptyState
          title="No templates to send yet"
          action={
            <ButtonLink href={path("/templates")} kind="primary">
              Go to templates
            </ButtonLink>
          }
        >
          A campaign sends a template: a text with variables, like names. Create a template, or sync those approved by
          your provider.
        </EmptyState>
      ) : (
        <CampaignForm
          choices={{ templates, connections, tags, segments, fieldKeys }}
          template={template}
          files={files}
          state={state}
          use={use}
        />
      )}
    </Page>
  );
}

export const newCampaignPages = workspacePages();

const newFormPage = (request: WorkspaceRequest, state = request.refused ?? unsentForm) =>
  campaignFormPage(request, state, {
    title: "New campaign",
    action: request.path(`/campaigns/preview`),
    redraw: request.path(`/campaigns/new`),
    back: request.path("/campaigns"),
    submit: "Preview",
    note: "Nothing is sent yet: you review the recipients and messages before you start the campaign.",
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

export const contextFor = ({ ctx }: WorkspaceRequest, { connection_id: id }: CampaignFormInput) =>
  id === undefined ? ctx : sendingThrough(ctx, id);

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
  return (
    <Page title={order.name ?? template.name} scripts={["pages/preview.client.js", "times.client.js"]}>
      <CampaignPreview {...{ order, template, files, preview, audience, own, connection, changed }} />
    </Page>
  );
}

const startQuery = z.object({ template_id: z.string(), segment_id: z.string() }).partial();

newCampaignPages.get("/campaigns/new", { query: startQuery }, (request, { query }) => {
  const sent = Object.entries(query).map(([name, value]) => [name, value === undefined ? [] : [value]] as const);
  const values = new Map(sent.filter(([, all]) => all.length > 0));
  return newFormPage(request, { ...unsentForm, values });
});

newCampaignPages.post("/campaigns/new", unparsedForm, (request, { body: { values } }) =>
  newFormPage(request, { ...unsentForm, values }),
);

for (const at of ["/campaigns/preview", "/campaigns/start"] as const) {
  newCampaignPages.get(at, {}, ({ path }) => redirectTo(path(`/campaigns/new`)));
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
      return redirectTo(request.path(`/campaigns/${id}`), describeStart(await getCampaign(request.ctx, id)));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "conflict") throw error;
      return withStatus(409, await previewPage(request, order, error.message));
    }
  },
);
