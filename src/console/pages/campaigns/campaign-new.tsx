import * as z from "zod";
import type { CampaignRecord } from "../../../features/campaigns/campaigns.schemas.ts";
import { previewCampaign } from "../../../features/campaigns/start/preview-campaign.ts";
import { startCampaign } from "../../../features/campaigns/start/start-campaign.ts";
import { getCampaign } from "../../../features/campaigns/campaigns.service.ts";
import { listConnections, requireConnection } from "../../../features/connections/connections.service.ts";
import { contactValueNames } from "../../../features/contacts/contacts.values.ts";
import { listCustomFields } from "../../../features/custom-fields/custom-fields.service.ts";
import { getSegment, listSegments } from "../../../features/segments/segments.service.ts";
import { listTags } from "../../../features/tags/tags.service.ts";
import { missingParts } from "../../../features/templates/templates.external.ts";
import type { TemplateRecord } from "../../../features/templates/templates.schemas.ts";
import { getTemplate, listTemplates } from "../../../features/templates/templates.service.ts";
import { sendingThrough } from "../../../shared/context.ts";
import { sha256Hex } from "../../../shared/crypto.ts";
import { AppError, invalid } from "../../../shared/errors.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { go, type Page, show } from "../../kit/answers.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { countOf, EmptyState } from "../../kit/feedback.tsx";
import { type FormState, untouched } from "../../kit/forms.ts";
import type { WorkspaceVisit } from "../../kit/visit.ts";
import { CampaignForm } from "./campaign-form.tsx";
import {
  besideFields,
  confirmedForm,
  type Order,
  orderForm,
  readConfirmed,
  readOrder,
  startOf,
} from "./campaign-order.ts";
import { CAMPAIGNS } from "./campaign-parts.tsx";
import { CampaignPreview } from "./campaign-preview.tsx";
import type { ToldAudience } from "../../../features/campaigns/start/read-order.ts";

export const newCampaignPages = workspacePages();

const MANY = 500;

/** The form, with what was sent of it or with what the address says. */
async function formPage(visit: WorkspaceVisit, state: FormState): Promise<Page> {
  const { ctx, path } = visit;
  const [approved, connections, tags, segments, fields] = await Promise.all([
    listTemplates(ctx, { status: "APPROVED", source: undefined, limit: undefined, before: undefined }),
    listConnections(ctx, MANY, undefined),
    listTags(ctx, MANY),
    listSegments(ctx, MANY, undefined),
    listCustomFields(ctx, MANY),
  ]);
  const templates = approved.filter((each) => missingParts(each).length === 0);
  const template = templates.find(({ id }) => id === state.values.get("template_id")?.[0]) ?? null;
  const fieldKeys = fields.map(({ field_key }) => field_key);
  return show({
    title: "New campaign",
    scripts: ["campaigns.client.js"],
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
          state={state}
        />
      ),
  });
}

async function chosenTemplate({ ctx }: WorkspaceVisit, id: string): Promise<TemplateRecord> {
  try {
    return await getTemplate(ctx, id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalid({ path: "template_id", code: error.code, message: "This template is gone. Choose another one." });
  }
}

async function toldAudience({ ctx }: WorkspaceVisit, order: Order): Promise<ToldAudience> {
  const {
    filter_tags: tags = [],
    filter_tags_mode: mode = "all",
    filter_status: status = null,
    segment_id: id,
  } = order;
  return { tags, mode, status, segment: id === undefined ? null : { id, name: (await getSegment(ctx, id)).name } };
}

/** Acts through the connection that the order names; without one it is the channel's default. */
const actingThrough = ({ ctx }: WorkspaceVisit, { connection_id: id }: Order) =>
  id === undefined ? ctx : sendingThrough(ctx, id);

/** Whom it would reach and what they would read, with the button that does it. `changed`: it was pressed for another number. */
async function previewPage(visit: WorkspaceVisit, order: Order, changed: string | null = null): Promise<Page> {
  const template = await chosenTemplate(visit, order.template_id);
  const [preview, audience, fields, connection] = await besideFields(
    template,
    Promise.all([
      previewCampaign(actingThrough(visit, order), startOf(order)),
      toldAudience(visit, order),
      listCustomFields(visit.ctx, MANY),
      order.connection_id === undefined ? null : requireConnection(visit.ctx, order.connection_id),
    ]),
  );
  const own = contactValueNames(fields.map(({ field_key: key }) => ({ key })));
  const shown = { order, template, preview, audience, own, connection, changed, token: visit.ctx.newId("form") };
  return show({
    title: order.name ?? template.name,
    scripts: ["campaigns.client.js"],
    body: <CampaignPreview {...shown} />,
    ...(changed !== null && { status: 409 }),
  });
}

const startQuery = z.object({ template_id: z.string(), segment_id: z.string() }).partial();

/** A template or a segment may be chosen on the way here. */
newCampaignPages.get("/campaigns/new", { query: startQuery }, (visit, { query }) => {
  const sent = Object.entries(query).map(([name, value]) => [name, value === undefined ? [] : [value]] as const);
  const values = new Map(sent.filter(([, all]) => all.length > 0));
  return formPage(visit, { ...untouched, values });
});

/** The form again, as it was sent: with another template, or to change something after the preview. */
newCampaignPages.post(
  "/campaigns/new",
  { body: z.record(z.string(), z.array(z.string())), read: ({ values }) => Object.fromEntries(values) },
  (visit, { body }) => formPage(visit, { ...untouched, values: new Map(Object.entries(body)) }),
);

// Where a form leads is nowhere to come back to.
for (const at of ["/campaigns/preview", "/campaigns/start"] as const) {
  newCampaignPages.get(at, {}, ({ path }) => go(path(`${CAMPAIGNS}/new`)));
}

newCampaignPages.post(
  "/campaigns/preview",
  { body: orderForm, read: readOrder, again: (visit, _, form) => formPage(visit, form) },
  (visit, { body }) => previewPage(visit, body),
);

function startedInWords({ status, recipient_count }: CampaignRecord): string {
  const people = countOf(recipient_count, "person", "people");
  return status === "scheduled" ? `Scheduled: by now it would go to ${people}.` : `Started: it goes to ${people}.`;
}

newCampaignPages.post(
  "/campaigns/start",
  { body: confirmedForm, read: readConfirmed, again: (visit, _, form) => formPage(visit, form) },
  async (visit, { body: { confirmed, token, ...order } }) => {
    const template = await chosenTemplate(visit, order.template_id);
    const start = startOf(order);
    // The token is the form's: pressed twice, it starts one campaign and says so twice.
    const once = { key: `campaign ${token}`, fingerprint: await sha256Hex(JSON.stringify(start)), replayed: false };
    try {
      const ctx = { ...actingThrough(visit, order), once };
      const { campaign_id: id } = await besideFields(template, startCampaign(ctx, start, confirmed));
      return go(visit.path(`${CAMPAIGNS}/${id}`), startedInWords(await getCampaign(visit.ctx, id)));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "conflict") throw error;
      return previewPage(visit, order, error.message);
    }
  },
);
