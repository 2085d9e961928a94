import type { FC } from "hono/jsx";
import {
  type CampaignRates,
  ratesOf,
  type Timeline,
  timelineStates,
} from "../../../features/campaigns/report/report-figures.ts";
import type { getCampaignReport, ReasonCount } from "../../../features/campaigns/report/read-report.ts";
import type { presentCampaign } from "../../../features/campaigns/campaigns.views.ts";
import { HOUR_MS, MINUTE_MS } from "../../../shared/time/durations.ts";
import { BarChart } from "../../kit/charts/bar-chart.tsx";
import { ClockTime, Section, formatUtc } from "../../kit/feedback.tsx";
import { formatNumber, formatShare, toPercent } from "../../kit/format.ts";
import { Table } from "../../kit/tables.tsx";
import { describeReason, recipientStateLabels } from "./campaign-labels.ts";

const fixConnection = "Test and fix the connection under Settings, Connections.";
const fixTemplate = "Check the template's status and edit it.";

const advice: ReadonlyMap<string, string> = new Map([
  ["unsubscribed", "Nothing: they unsubscribed."],
  ["marketing_opt_out", "Nothing: they turned marketing off. Utility templates still reach them."],
  ["archived", "Restore the contacts you want to reach."],
  ["missing_variable", "Add the missing values to these contacts, or use a fallback, like {{name|there}}."],
  ["too_long", "Shorten the template or its values."],
  ["expired", "Set a later stop time for the next campaign."],
  ["cancelled", "To message them anyway, download the CSV, tag these contacts, and send a campaign to that tag."],
  ["duplicate", "Nothing: the person received the message through another contact."],
  ["invalid_recipient", "Check the numbers: they are wrong, or not on WhatsApp."],
  ["undeliverable", "Usually the phone is off or they blocked you. Try another channel."],
  ["frequency_capped", "Wait a day or more: WhatsApp limits marketing messages per person."],
  ["window_closed", "Send an approved template."],
  ["template_rejected", fixTemplate],
  ["template_not_approved", fixTemplate],
  ["rate_limited", "Wait a day, then send only to people who expect it."],
  ["account_blocked", "Ask the provider why the account is blocked."],
  [
    "provider_unreachable",
    "They received nothing. Download the failed recipients as CSV, tag them, and send a campaign to that tag.",
  ],
  ["provider_rejected", fixConnection],
  ["unreachable", "Add a phone number to these contacts."],
  ["media_invalid", "Upload the file again, or choose another file."],
  ["unsupported_message", "Choose a template that this connection supports."],
]);

const adviceFor = (reason: string): string => advice.get(reason) ?? "Check the recipients below for details.";

type Report = Awaited<ReturnType<typeof getCampaignReport>>;
type Counts = ReturnType<typeof presentCampaign>["counts"];

const stagesOf = ({ sent, delivered, read }: Counts, total: number) => [
  { key: "queued", label: "Recipients", people: total },
  { key: "sent", label: "Sent", people: sent + delivered + read },
  { key: "delivered", label: "Delivered", people: delivered + read },
  { key: "read", label: "Read", people: read },
];

const Funnel: FC<{ counts: Counts; total: number }> = ({ counts, total }) => (
  <ol class="funnel" aria-label="Delivery funnel">
    {stagesOf(counts, total).map(({ key, label, people }) => (
      <li>
        <span class="funnel-label">{label}</span>
        <svg width="100%" height="14" aria-hidden="true">
          <rect class="funnel-ground" width="100%" height="14" rx="3" />
          <rect class={`chart-${key}`} width={`${toPercent(people, total)}%`} height="14" rx="3" />
        </svg>
        <span class="funnel-number">
          <strong>{formatNumber(people)}</strong>{" "}
          {key !== "queued" && <span class="help">{formatShare(people, total)}</span>}
        </span>
      </li>
    ))}
  </ol>
);

function nameStep(stepMs: number): string {
  if (stepMs === HOUR_MS) return "hour";
  return stepMs < HOUR_MS ? `${stepMs / MINUTE_MS} minutes` : `${stepMs / HOUR_MS} hours`;
}

const TimeChart: FC<{ timeline: Timeline }> = ({ timeline: { stepMs, steps } }) =>
  steps.length === 0 ? (
    <p class="help">Nothing sent yet.</p>
  ) : (
    <BarChart
      title={`Messages per ${nameStep(stepMs)}`}
      stepLabel="From"
      series={timelineStates.map((key) => ({ key, label: recipientStateLabels[key].label }))}
      steps={steps.map(({ at, counts }) => ({
        label: <ClockTime at={at} hasDay={stepMs > HOUR_MS || steps.length > 24} />,
        title: formatUtc(at),
        values: counts,
      }))}
    />
  );

const ReasonTable: FC<{ reasons: readonly ReasonCount[] }> = ({ reasons }) => (
  <Table
    caption="Reasons why messages were not sent or delivered"
    rows={reasons}
    columns={[
      { label: "Reason", cell: ({ reason }) => describeReason(reason) },
      { label: "People", align: "end", cell: ({ count }) => formatNumber(count) },
      { label: "What to do", cell: ({ reason }) => <span class="help">{adviceFor(reason)}</span> },
    ]}
  />
);

/** Rounds both shares before subtracting. The difference then matches the two numbers on the page. */
function describeDifference(share: number, usual: number): string {
  const points = toPercent(share) - toPercent(usual);
  const rounded = Math.abs(points).toFixed(1).replace(".0", "");
  if (rounded === "0") return "the same";
  return `${rounded} ${rounded === "1" ? "point" : "points"} ${points > 0 ? "more" : "less"}`;
}

const rateLabels: readonly (readonly [keyof CampaignRates, string])[] = [
  ["delivered", "Delivered"],
  ["read", "Read"],
  ["failed", "Failed"],
];

const Comparison: FC<{ rates: CampaignRates; usual: NonNullable<Report["usual"]> }> = ({ rates, usual }) => (
  <Section
    title="Comparison with earlier campaigns"
    help={`${usual.campaigns === 1 ? "The last completed campaign" : `Median of the last ${formatNumber(usual.campaigns)} completed campaigns`}, as a share of messages sent to the provider.`}
  >
    <Table
      caption="Rates of this and earlier campaigns"
      rows={rateLabels}
      columns={[
        { label: "Messages", cell: ([, label]) => label },
        { label: "This campaign", align: "end", cell: ([name]) => formatShare(rates[name]) },
        { label: "Usually", align: "end", cell: ([name]) => formatShare(usual[name]) },
        { label: "Difference", cell: ([name]) => describeDifference(rates[name], usual[name]) },
      ]}
    />
  </Section>
);

export const CampaignReport: FC<{ report: Report; counts: Counts }> = ({ report, counts }) => {
  const { campaign, timeline, reasons, usual } = report;
  const rates = ratesOf(campaign.tally);
  if (campaign.started_at === null) return null;
  return (
    <>
      <div class="report-grid">
        <Section title="Funnel">
          <Funnel counts={counts} total={Math.max(campaign.recipient_count, campaign.expanded)} />
        </Section>
        <Section title="Over time">
          <TimeChart timeline={timeline} />
        </Section>
      </div>
      {reasons.length > 0 && (
        <Section title="Not sent or delivered">
          <ReasonTable reasons={reasons} />
        </Section>
      )}
      {rates !== null && usual !== null && <Comparison rates={rates} usual={usual} />}
    </>
  );
};
