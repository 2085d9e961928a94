import type { z } from "zod";
import {
  type CampaignRecord,
  exportRecipientsQuery,
  listRecipientsQuery,
} from "../../../features/campaigns/campaigns.schemas.ts";
import { presentCampaign } from "../../../features/campaigns/campaigns.views.ts";
import { cancelCampaign, pauseCampaign, resumeCampaign } from "../../../features/campaigns/campaigns.service.ts";
import { duplicateCampaign } from "../../../features/campaigns/edit/duplicate-campaign.ts";
import { exportRecipients, listRecipients } from "../../../features/campaigns/list-recipients.ts";
import { getCampaignReport } from "../../../features/campaigns/report/read-report.ts";
import { partsOf } from "../../../features/campaigns/campaigns.variables.ts";
import { describeStoredAudience } from "../../../features/campaigns/edit/stored-request.ts";
import { requireConnection } from "../../../features/connections/connections.service.ts";
import { findConversationIds } from "../../../features/conversations/conversations.service.ts";
import { findMediaFiles } from "../../../features/media/media.service.ts";
import { sentFileIds } from "../../../features/templates/template-files.ts";
import type { TemplateRecord } from "../../../features/templates/templates.schemas.ts";
import { getTemplate } from "../../../features/templates/templates.service.ts";
import { encodeCursor } from "../../../http/fields.ts";
import { csvHeaders, streamText } from "../../../http/response/streamed-response.ts";
import { AppError } from "../../../shared/errors.ts";
import { spacedPhone } from "../../../shared/text/phone.ts";
import { redirectTo, sendResponse } from "../../kit/results.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { Facts, Section } from "../../kit/feedback.tsx";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { Page } from "../../kit/page/page.tsx";
import { CampaignCost, describeButtons, GivenHeaders, SentBubble, RecipientList } from "./campaign-sections.tsx";
import { CampaignReport } from "./campaign-report.tsx";
import { CampaignActions, CancelDialog, isOver, CampaignProgress, CampaignTimes } from "./campaign-state.tsx";
import { describeVariables } from "./form/campaign-form-fields.tsx";
import { describeAudience } from "./campaign-labels.ts";

export const campaignDetailPages = workspacePages();

/**
 * Returns null for a template or connection that no longer exists: both can be deleted after the campaign has
 * started.
 */
const nullIfDeleted = async <T,>(found: Promise<T>): Promise<T | null> => {
  try {
    return await found;
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return null;
    throw error;
  }
};

async function loadCampaign({ ctx }: WorkspaceRequest, id: string, query: z.output<typeof listRecipientsQuery>) {
  const { state, limit, cursor } = query;
  const [report, page] = await Promise.all([
    getCampaignReport(ctx, id),
    listRecipients(ctx, id, { state, limit, from: cursor?.[0] ?? 0 }),
  ]);
  const { campaign, request: row } = report;
  const { request } = row;
  const [template, connection, files, conversations] = await Promise.all([
    nullIfDeleted(getTemplate(ctx, campaign.template_id)),
    nullIfDeleted(requireConnection(ctx, campaign.connection_id)),
    findMediaFiles(ctx, sentFileIds(request)),
    findConversationIds(
      ctx,
      page.recipients.map(({ message_id }) => message_id),
    ),
  ]);
  const next = page.next === null ? null : encodeCursor([page.next]);
  const values = { variables: request.variables ?? {}, ...partsOf(request) };
  const audience = describeStoredAudience(row);
  return { report, audience, values, template, files, connection, recipients: page.recipients, conversations, next };
}

/** Returns only the named variables, because these default to the contact's value. Numbered ones do not. */
const namedVariables = ({ variables }: TemplateRecord) => new Set(variables.filter((name) => !/^\d/.test(name)));

const POLL_S = { running: 2, waiting: 5 };

campaignDetailPages.get(
  "/campaigns/:id",
  { query: listRecipientsQuery },
  async (request, { params: { id }, query: { state, ...query } }) => {
    const now = request.ctx.now();
    const found = await loadCampaign(request, id, { state, ...query });
    const { report, audience, values, template, files, connection, recipients, conversations, next } = found;
    const { campaign: record } = report;
    const campaign = presentCampaign(record, now);
    const every = campaign.status === "running" ? POLL_S.running : POLL_S.waiting;
    const here = request.path(`/campaigns/${id}`);
    return (
      <Page
        title={campaign.name}
        scripts={["pages/preview.client.js", "times.client.js"]}
        actions={
          <div id="campaign-actions" class="actions">
            <CampaignActions status={campaign.status} here={here} />
          </div>
        }
      >
        <div
          id="campaign-progress"
          {...(!isOver(campaign, now) && {
            "data-poll": every,
            "data-changes-with": id,
            "data-swap": "campaign-actions campaign-report cancel-rest campaign-cost campaign-times recipients",
          })}
        >
          <CampaignProgress campaign={campaign} now={now} hrefOf={(wanted) => `${here}?state=${wanted}#recipients`} />
        </div>
        <CancelDialog campaign={campaign} here={here} />
        <div id="campaign-report">
          <CampaignReport report={report} counts={campaign.counts} />
        </div>
        <Section title="Message">
          <Facts
            facts={[
              ["Audience", describeAudience(audience)],
              ["Sent through", connection?.name ?? `a deleted ${campaign.channel} connection`],
              ["Template", template?.name ?? "It has since been deleted."],
              ...(template === null
                ? Object.entries(values.variables).map(([name, text]) => [`{{${name}}}`, text] as const)
                : describeVariables({ template, own: namedVariables(template), given: values.variables })),
              ...describeButtons(template?.components ?? [], values),
            ]}
          />
          {template === null ? (
            <GivenHeaders values={values} files={files} />
          ) : (
            <SentBubble template={template} values={values} files={files} />
          )}
        </Section>
        {record.started_at !== null && (
          <Section title="Cost" help="Messages billed by the provider, by category.">
            <div id="campaign-cost">
              <CampaignCost cost={campaign.cost} />
            </div>
          </Section>
        )}
        <Section title="Times">
          <div id="campaign-times">
            <CampaignTimes record={record} />
          </div>
        </Section>
        <RecipientList
          here={here}
          state={state}
          campaign={record}
          recipients={recipients}
          conversations={conversations}
          next={next}
        />
      </Page>
    );
  },
);

const describeCancelled = ({ started_at }: CampaignRecord) =>
  started_at === null ? "Campaign cancelled. Nothing was sent." : "Campaign cancelled. Remaining contacts are skipped.";

/**
 * The notice after a campaign was resumed. If no recipients are left or its sending window has ended, the
 * campaign is completed at once.
 */
const describeResumed = ({ status }: CampaignRecord) =>
  status === "completed"
    ? "Campaign completed. Nothing was left to send, or the sending window ended."
    : "Campaign resumed.";

const changes = [
  ["/campaigns/:id/pause", pauseCampaign, () => "Campaign paused. Sending stops within two seconds."],
  ["/campaigns/:id/resume", resumeCampaign, describeResumed],
  ["/campaigns/:id/cancel", cancelCampaign, describeCancelled],
] as const;

for (const [at, change, describe] of changes) {
  campaignDetailPages.post(at, {}, async ({ ctx, path }, { params: { id } }) =>
    redirectTo(path(`/campaigns/${id}`), describe(await change(ctx, id))),
  );
}

campaignDetailPages.post("/campaigns/:id/duplicate", {}, async ({ ctx, path }, { params: { id } }) => {
  const { id: copy, name } = await duplicateCampaign(ctx, id);
  return redirectTo(path(`/campaigns/${copy}`), `Draft “${name}” created. Edit it, then start it.`);
});

campaignDetailPages.get(
  "/campaigns/:id/recipients.csv",
  { query: exportRecipientsQuery },
  async ({ ctx }, { params: { id }, query: { state } }) =>
    sendResponse(
      // Writes phone numbers with spaces, because a spreadsheet would otherwise remove the plus.
      new Response(await streamText(exportRecipients(ctx, id, state, spacedPhone)), {
        headers: csvHeaders(`recipients-${id}.csv`),
      }),
    ),
);
