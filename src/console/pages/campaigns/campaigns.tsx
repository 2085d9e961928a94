import { type CampaignRecord, listCampaignsQuery } from "../../../features/campaigns/campaigns.schemas.ts";
import { listCampaigns } from "../../../features/campaigns/campaigns.service.ts";
import { presentCampaign } from "../../../features/campaigns/campaigns.views.ts";
import { page } from "../../../http/fields.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { formatCount, formatNumber } from "../../kit/format.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { Age, EmptyState, StateBadge } from "../../kit/feedback.tsx";
import { Pager, Table } from "../../kit/tables.tsx";
import { Page } from "../../kit/page/page.tsx";
import { ZonedTime } from "./campaign-state.tsx";
import { ProgressBar, CountsSummary, countDone } from "./campaign-progress.tsx";
import { campaignStatusLabels } from "./campaign-labels.ts";

export const campaignPages = workspacePages();

const PER_PAGE = 20;
const POLL_S = 4;

const When = ({ campaign: { status, scheduled_at, started_at, created_at } }: { campaign: CampaignRecord }) =>
  status === "scheduled" && scheduled_at !== null ? (
    <>
      starts <ZonedTime at={scheduled_at} />
    </>
  ) : (
    <>
      {started_at === null ? "created" : "started"} <Age at={started_at ?? created_at} />
    </>
  );

campaignPages.get("/campaigns", { query: listCampaignsQuery }, async ({ ctx, path }, { query: { limit, cursor } }) => {
  const perPage = limit ?? PER_PAGE;
  const rows = await listCampaigns(ctx, perPage, cursor?.[0]);
  const { items, nextCursor } = page(rows, perPage, ({ id }) => [id]);
  const campaigns = items.map((record) => ({ record, ...presentCampaign(record, ctx.now()) }));
  const isMoving = campaigns.some(({ status }) => status === "running");
  const start = (
    <>
      {campaigns.length > 0 && <ButtonLink href={path(`/campaigns/calendar`)}>Calendar</ButtonLink>}
      <ButtonLink href={path(`/campaigns/new`)} kind="primary">
        New campaign
      </ButtonLink>
    </>
  );
  return (
    <Page
      title="Campaigns"
      scripts={["pages/preview.client.js", "times.client.js"]}
      actions={campaigns.length > 0 ? start : undefined}
    >
      {campaigns.length === 0 ? (
        <EmptyState title="No campaigns yet" icon="megaphone" action={start}>
          Send one template to many contacts. You review the recipients before anything is sent.
        </EmptyState>
      ) : (
        <div id="campaigns" data-changes-with="campaign" data-poll={isMoving ? POLL_S : undefined}>
          <Table
            caption="Campaigns, newest first"
            rows={campaigns}
            columns={[
              {
                label: "Name",
                cell: ({ campaign_id: id, name }) => (
                  <a href={path(`/campaigns/${id}`)} id={`link-${id}`}>
                    {name}
                  </a>
                ),
              },
              { label: "Status", cell: ({ status }) => <StateBadge state={campaignStatusLabels[status]} /> },
              {
                label: "Progress",
                cell: ({ name, status, counts, recipient_count: total, started_at: startedAt }) => {
                  if (status === "draft" || status === "failed" || (status === "cancelled" && startedAt === null))
                    return <span class="help">nothing sent</span>;
                  if (status === "scheduled") return <span class="help">{formatCount(total, "person", "people")}</span>;
                  const done = countDone(counts, status);
                  return (
                    <>
                      <ProgressBar label={`Progress of ${name}`} done={done} total={total} />
                      {formatNumber(done)} of {formatNumber(total)}
                    </>
                  );
                },
              },
              {
                label: "Result",
                cell: ({ started_at: startedAt, counts }) =>
                  startedAt === null ? "" : <CountsSummary counts={counts} />,
              },
              { label: "When", cell: ({ record }) => <When campaign={record} /> },
            ]}
          />
          <Pager next={nextCursor} />
        </div>
      )}
    </Page>
  );
});
