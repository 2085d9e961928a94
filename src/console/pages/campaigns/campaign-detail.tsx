import type { z } from "zod";
import { listRecipientsQuery } from "../../../features/campaigns/campaigns.schemas.ts";
import { presentCampaign } from "../../../features/campaigns/campaigns.views.ts";
import {
  cancelCampaign,
  getCampaign,
  pauseCampaign,
  resumeCampaign,
} from "../../../features/campaigns/campaigns.service.ts";
import { listRecipients } from "../../../features/campaigns/list-recipients.ts";
import { getCampaignRequest } from "../../../features/campaigns/start/describe-audience.ts";
import { requireConnection } from "../../../features/connections/connections.service.ts";
import { findConversationIds } from "../../../features/conversations/conversations.service.ts";
import { findMediaFiles } from "../../../features/media/find-media.ts";
import { sentFileIds } from "../../../features/templates/template-files.ts";
import type { TemplateRecord } from "../../../features/templates/templates.schemas.ts";
import { getTemplate } from "../../../features/templates/templates.service.ts";
import { encodeCursor } from "../../../http/fields.ts";
import { AppError } from "../../../shared/errors.ts";
import { redirectTo, showPage } from "../../kit/results.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { Facts, Section } from "../../kit/feedback.tsx";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { CampaignCost, describeButtons, GivenHeaders, SentBubble } from "./campaign-message.tsx";
import { CAMPAIGNS } from "./campaign-parts.tsx";
import { RecipientList } from "./campaign-recipients.tsx";
import { CampaignActions, CancelDialog, isOver, CampaignProgress, CampaignTimes } from "./campaign-state.tsx";
import { describeVariables } from "./campaign-variables.tsx";
import { describeAudience } from "./campaign-labels.ts";

export const campaignDetailPages = workspacePages();

/** A campaign's template or connection may have been deleted since it started. */
const nullIfDeleted = async <T,>(found: Promise<T>): Promise<T | null> => {
  try {
    return await found;
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return null;
    throw error;
  }
};

/** Loads the page's data, with independent reads side by side. */
async function loadCampaign({ ctx }: WorkspaceRequest, id: string, query: z.output<typeof listRecipientsQuery>) {
  const { state, limit, cursor } = query;
  const [record, { audience, variables, parts }, page] = await Promise.all([
    getCampaign(ctx, id),
    getCampaignRequest(ctx, id),
    listRecipients(ctx, id, { state, limit, from: cursor?.[0] ?? 0 }),
  ]);
  const [template, connection, files, conversations] = await Promise.all([
    nullIfDeleted(getTemplate(ctx, record.template_id)),
    nullIfDeleted(requireConnection(ctx, record.connection_id)),
    findMediaFiles(ctx, sentFileIds(parts)),
    findConversationIds(
      ctx,
      page.recipients.map(({ message_id }) => message_id),
    ),
  ]);
  const next = page.next === null ? null : encodeCursor([page.next]);
  const values = { variables: variables ?? {}, ...parts };
  return { record, audience, values, template, files, connection, recipients: page.recipients, conversations, next };
}

/** Named variables without a text are the contacts' own: no other campaign could have started. */
const namedVariables = ({ variables }: TemplateRecord) => new Set(variables.filter((name) => !/^\d/.test(name)));

/** Seconds between polls. */
const POLL_S = { running: 2, waiting: 5 };

campaignDetailPages.get(
  "/campaigns/:id",
  { query: listRecipientsQuery },
  async (request, { params: { id }, query: { state, ...query } }) => {
    const now = request.ctx.now();
    const found = await loadCampaign(request, id, { state, ...query });
    const { record, audience, values, template, files, connection, recipients, conversations, next } = found;
    const campaign = presentCampaign(record, now);
    const every = campaign.status === "running" ? POLL_S.running : POLL_S.waiting;
    const here = request.path(`${CAMPAIGNS}/${id}`);
    return showPage({
      title: campaign.name,
      scripts: ["campaigns.client.js", "times.client.js"],
      actions: (
        <div id="campaign-actions" class="actions">
          <CampaignActions status={campaign.status} here={here} />
        </div>
      ),
      body: (
        <>
          <div
            id="campaign-progress"
            {...(!isOver(campaign, now) && {
              "data-poll": every,
              "data-changes-with": id,
              "data-swap": "campaign-actions cancel-rest campaign-cost campaign-times recipients",
            })}
          >
            <CampaignProgress campaign={campaign} now={now} hrefOf={(wanted) => `${here}?state=${wanted}#recipients`} />
          </div>
          <CancelDialog campaign={campaign} here={here} />
          <Section title="What is sent">
            <Facts
              facts={[
                ["Audience", describeAudience(audience)],
                ["Sent through", connection?.name ?? `an ${campaign.channel} connection that was deleted`],
                ["Template", template?.name ?? "It has been deleted since."],
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
          <Section title="Cost" help="What the provider's reports say it bills, by its category.">
            <div id="campaign-cost">
              <CampaignCost cost={campaign.cost} />
            </div>
          </Section>
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
        </>
      ),
    });
  },
);

const changes = [
  ["/campaigns/:id/pause", pauseCampaign, "Paused. Sending stops within two seconds."],
  ["/campaigns/:id/resume", resumeCampaign, "The campaign continues where it stopped."],
  ["/campaigns/:id/cancel", cancelCampaign, "Cancelled. Contacts who had not been sent to are skipped."],
] as const;

for (const [at, change, done] of changes) {
  campaignDetailPages.post(at, {}, async ({ ctx, path }, { params: { id } }) => {
    await change(ctx, id);
    return redirectTo(path(`${CAMPAIGNS}/${id}`), done);
  });
}
