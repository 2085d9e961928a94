import * as z from "zod";
import type { CampaignRecord } from "../../../features/campaigns/campaigns.schemas.ts";
import { previewCampaign } from "../../../features/campaigns/start/preview-campaign.ts";
import { startCampaign } from "../../../features/campaigns/start/start-campaign.ts";
import { getCampaign } from "../../../features/campaigns/campaigns.service.ts";
import { listConnections, requireConnection } from "../../../features/connections/connections.service.ts";
import { contactValueNames } from "../../../features/contacts/contacts.values.ts";
import { findMediaFiles } from "../../../features/media/find-media.ts";
import { getSegment, listSegments } from "../../../features/segments/segments.service.ts";
import { listTags } from "../../../features/tags/tags.service.ts";
import { sentFileIds } from "../../../features/templates/template-files.ts";
import { partNeeds } from "../../../features/templates/templates.parts.ts";
import type { TemplateRecord } from "../../../features/templates/templates.schemas.ts";
import { getTemplate, listTemplates } from "../../../features/templates/templates.service.ts";
import { sendingThrough } from "../../../shared/context.ts";
import { sha256Hex } from "../../../shared/crypto.ts";
import { AppError, invalid } from "../../../shared/errors.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { formatCount } from "../../kit/format.ts";
import { redirectTo, type Page, showPage } from "../../kit/results.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { EmptyState } from "../../kit/feedback.tsx";
import { type FormState, unsentForm } from "../../kit/forms.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { loadFiles, takesFiles, withCheckedFiles } from "../messages/template-files.ts";
import { CampaignForm } from "./campaign-form.tsx";
import {
  attachFaultsToFields,
  confirmedCampaignBody,
  type CampaignFormInput,
  campaignFormBody,
  readConfirmedForm,
  readCampaignForm,
  toStartCampaign,
} from "./campaign-form-input.ts";
import { CAMPAIGNS } from "./campaign-parts.tsx";
import { CampaignPreview } from "./campaign-preview.tsx";
import type { AudienceDescription } from "../../../features/campaigns/start/describe-audience.ts";
import { listAllCustomFields } from "../custom-fields/custom-fields-parts.tsx";

export const newCampaignPages = workspacePages();

const MANY = 500;

/** The form, filled in with what was sent or with the query. */
async function formPage(request: WorkspaceRequest, state: FormState): Promise<Page> {
  const { ctx, path } = request;
  const [approved, connections, tags, segments, fields] = await Promise.all([
    listTemplates(ctx, { status: "APPROVED", source: undefined, limit: undefined, before: undefined }),
    listConnections(ctx, MANY, undefined),
    listTags(ctx, MANY),
    listSegments(ctx, MANY, undefined),
    listAllCustomFields(ctx),
  ]);
  const templates = approved.filter((each) => partNeeds(each).impossible.length === 0);
  const template = templates.find(({ id }) => id === state.values.get("template_id")?.[0]) ?? null;
  const fieldKeys = fields.map(({ field_key }) => field_key);
  const files = await loadFiles(ctx, state.values, template !== null && takesFiles(template));
  return showPage({
    title: "New campaign",
    scripts: ["campaigns.client.js", "times.client.js", "preview.client.js", "upload.client.js"],
    body:
      templates.length === 0 ? (
        <EmptyState
          title="There is no template to send yet"
          action={
            <ButtonLink href={path("/templates")} kind="primary">
              Go to templates
            </ButtonLink>
          }
        >
          A campaign sends a template: a text with places for names and the like. Make one, or sync those that your
          provider has approved.
        </EmptyState>
      ) : (
        <CampaignForm
          choices={{ templates, connections, tags, segments, fieldKeys }}
          template={template}
          files={files}
          state={state}
        />
      ),
  });
}

async function loadChosenTemplate({ ctx }: WorkspaceRequest, id: string): Promise<TemplateRecord> {
  try {
    return await getTemplate(ctx, id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalid({ path: "template_id", code: error.code, message: "This template was deleted. Choose another one." });
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

/** The context for sending through the chosen connection, or through the channel's default. */
const contextFor = ({ ctx }: WorkspaceRequest, { connection_id: id }: CampaignFormInput) =>
  id === undefined ? ctx : sendingThrough(ctx, id);

/** The preview of recipients and messages, with the button to start. `changed` tells why it was not started before. */
async function previewPage(
  request: WorkspaceRequest,
  sent: CampaignFormInput,
  changed: string | null = null,
): Promise<Page> {
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
    token: request.ctx.newId("form"),
  };
  return showPage({
    title: order.name ?? template.name,
    scripts: ["campaigns.client.js", "times.client.js"],
    body: <CampaignPreview {...shown} />,
    ...(changed !== null && { status: 409 }),
  });
}

const startQuery = z.object({ template_id: z.string(), segment_id: z.string() }).partial();

/** The query may choose a template and a segment. */
newCampaignPages.get("/campaigns/new", { query: startQuery }, (request, { query }) => {
  const sent = Object.entries(query).map(([name, value]) => [name, value === undefined ? [] : [value]] as const);
  const values = new Map(sent.filter(([, all]) => all.length > 0));
  return formPage(request, { ...unsentForm, values });
});

/** Shows the form again as it was sent: for another template, or for changes after the preview. */
newCampaignPages.post(
  "/campaigns/new",
  { body: z.record(z.string(), z.array(z.string())), read: ({ values }) => Object.fromEntries(values) },
  (request, { body }) => formPage(request, { ...unsentForm, values: new Map(Object.entries(body)) }),
);

// Addresses of forms have no page of their own to come back to.
for (const at of ["/campaigns/preview", "/campaigns/start"] as const) {
  newCampaignPages.get(at, {}, ({ path }) => redirectTo(path(`${CAMPAIGNS}/new`)));
}

newCampaignPages.post(
  "/campaigns/preview",
  { body: campaignFormBody, read: readCampaignForm, onInvalid: (request, _, form) => formPage(request, form) },
  (request, { body }) => previewPage(request, body),
);

function describeStart({ status, recipient_count }: CampaignRecord): string {
  const people = formatCount(recipient_count, "person", "people");
  return status === "scheduled" ? `Scheduled: by now it would go to ${people}.` : `Started: it goes to ${people}.`;
}

newCampaignPages.post(
  "/campaigns/start",
  { body: confirmedCampaignBody, read: readConfirmedForm, onInvalid: (request, _, form) => formPage(request, form) },
  async (request, { body: { confirmed, token, ...sent } }) => {
    const template = await loadChosenTemplate(request, sent.template_id);
    const order = await withCheckedFiles(request.ctx, template.id, sent);
    const start = toStartCampaign(order);
    // The token belongs to the form: pressed twice, it starts one campaign and answers the same twice.
    const once = { key: `campaign ${token}`, fingerprint: await sha256Hex(JSON.stringify(start)), replayed: false };
    try {
      const ctx = { ...contextFor(request, order), once };
      const { campaign_id: id } = await attachFaultsToFields(
        template,
        order,
        startCampaign(ctx, start, { recipients: confirmed }),
      );
      return redirectTo(request.path(`${CAMPAIGNS}/${id}`), describeStart(await getCampaign(request.ctx, id)));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "conflict") throw error;
      return previewPage(request, order, error.message);
    }
  },
);
