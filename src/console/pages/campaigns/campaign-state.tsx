import type { FC } from "hono/jsx";
import { LocalTime, Banner, Facts, formatUtc, type Fact, StateBadge } from "../../kit/feedback.tsx";
import { MINUTE_MS } from "../../../shared/time/durations.ts";
import type { CampaignRecord } from "../../../features/campaigns/campaigns.schemas.ts";
import type { presentCampaign } from "../../../features/campaigns/campaigns.views.ts";
import { ButtonLink, Dialog, PostButton } from "../../kit/actions.tsx";
import { formatCount, formatNumber } from "../../kit/format.ts";
import { Form, Submit } from "../../kit/forms/form-fields.tsx";
import { countDone, describeDone, StatesChart } from "./campaign-progress.tsx";
import { describeCampaignError, type RecipientState, campaignStatusLabels } from "./campaign-labels.ts";

export const ZonedTime: FC<{ at: number }> = ({ at }) => (
  <>
    <LocalTime at={at} />{" "}
    <span class="help needs-script in-utc">
      <span data-zone="">your time</span> · {formatUtc(at)}
    </span>
  </>
);

type Campaign = ReturnType<typeof presentCampaign>;

const ENDED: readonly Campaign["status"][] = ["completed", "cancelled", "failed"];

export const isOver = ({ status, counts, completed_at: at }: Campaign, now: number): boolean =>
  ENDED.includes(status) && counts.pending === 0 && (at === null || now > Date.parse(at) + MINUTE_MS);

function leftInWords(endsAt: string, now: number): string {
  const minutes = Math.ceil((Date.parse(endsAt) - now) / MINUTE_MS);
  return minutes <= 1 ? "within a minute" : `in about ${formatCount(minutes, "minute")}`;
}

const paceOf = ({ rate_per_second: rate, estimated_completion_at: endsAt }: Campaign, now: number): Fact[] => [
  ["Rate", rate === null ? null : `${formatNumber(rate)} per second`],
  [
    "Estimated end",
    endsAt === null ? null : (
      <>
        {leftInWords(endsAt, now)}, <ZonedTime at={Date.parse(endsAt)} />
      </>
    ),
  ],
];

const neverSent = ({ status, started_at }: Campaign): boolean =>
  status === "draft" || status === "scheduled" || status === "failed" || started_at === null;

const Unsent: FC<{ campaign: Campaign }> = ({ campaign: { status, scheduled_at, recipient_count } }) => {
  if (status === "failed") return <p>Nothing was sent.</p>;
  if (status === "cancelled") return <p>Cancelled before the start. Nothing was sent.</p>;
  if (status === "draft")
    return (
      <p>
        Nothing is sent until you start it. You review the recipients and messages first
        {scheduled_at !== null && (
          <>
            , then the campaign waits until <ZonedTime at={Date.parse(scheduled_at)} />
          </>
        )}
        .
      </p>
    );
  return scheduled_at === null ? null : (
    <p>
      Starts <ZonedTime at={Date.parse(scheduled_at)} />. Audience: {formatCount(recipient_count, "person", "people")}.
      The audience is updated at the start, so the number can change.
    </p>
  );
};

export const CampaignProgress: FC<{ campaign: Campaign; now: number; hrefOf(state: RecipientState): string }> = ({
  campaign,
  now,
  hrefOf,
}) => {
  const { status, last_error: error, counts, recipient_count: total, audience_ready_at: readyAt } = campaign;
  const done = countDone(counts, status);
  return (
    <>
      {error !== null && (
        <Banner kind={status === "failed" ? "error" : "warning"}>
          {status === "paused" && <strong>Paused automatically. </strong>}
          {describeCampaignError(error, status)}
        </Banner>
      )}
      <p class="progress-line">
        <StateBadge state={campaignStatusLabels[status]} />{" "}
        {!neverSent(campaign) && (
          <span>
            <strong>{formatNumber(done)}</strong> of {formatNumber(total)} {describeDone(counts, status)}
          </span>
        )}
      </p>
      {neverSent(campaign) ? (
        <Unsent campaign={campaign} />
      ) : (
        <>
          {status === "paused" && error === null && (
            <p>Resume to continue with the {formatCount(counts.pending, "person", "people")} left.</p>
          )}
          {readyAt === null && status === "running" && <p class="help">Finding recipients …</p>}
          <Facts facts={paceOf(campaign, now)} />
          {ENDED.includes(status) && !isOver(campaign, now) && (
            <p class="help">Sending has ended. Delivery reports still arrive.</p>
          )}
          <StatesChart counts={counts} hrefOf={hrefOf} />
        </>
      )}
    </>
  );
};

export const CampaignActions: FC<{ status: Campaign["status"]; here: string }> = ({ status, here }) => (
  <>
    {status === "draft" && (
      <ButtonLink href={`${here}/start`} kind="primary">
        Start …
      </ButtonLink>
    )}
    {(status === "draft" || status === "scheduled") && <ButtonLink href={`${here}/edit`}>Edit</ButtonLink>}
    {status === "running" && <PostButton action={`${here}/pause`}>Pause</PostButton>}
    {status === "paused" && (
      <PostButton action={`${here}/resume`} kind="primary">
        Resume
      </PostButton>
    )}
    <ButtonLink href={`${here}/test`}>Send test</ButtonLink>
    <PostButton action={`${here}/duplicate`}>Duplicate</PostButton>
    {!ENDED.includes(status) && (
      <button type="button" class="plain" id="ask-cancel" {...{ commandfor: "cancel", command: "show-modal" }}>
        {status === "draft" ? "Discard draft" : "Cancel campaign"}
      </button>
    )}
  </>
);

const CancelForm: FC<{ here: string; label: string }> = ({ here, label }) => (
  <Form action={`${here}/cancel`} class="dialog-actions">
    <Submit kind="danger">{label}</Submit>
    <button type="button" class="plain" {...{ commandfor: "cancel", command: "close" }}>
      Keep campaign
    </button>
  </Form>
);

/** Must be outside the element that polling replaces. Otherwise, an open dialog would close. */
export const CancelDialog: FC<{ campaign: Campaign; here: string }> = ({ campaign, here }) => {
  const { status, counts, recipient_count: total } = campaign;
  if (ENDED.includes(status)) return null;
  const rest = status === "scheduled" ? total : counts.pending;
  if (status === "draft")
    return (
      <Dialog id="cancel" title="Discard this draft?">
        <p id="cancel-rest">Nothing was sent. The draft stays in the list as cancelled, and you can duplicate it.</p>
        <CancelForm here={here} label="Discard draft" />
      </Dialog>
    );
  return (
    <Dialog id="cancel" title="Cancel this campaign?">
      <p id="cancel-rest">
        {status === "scheduled"
          ? `The campaign won't start, and none of the ${formatNumber(rest)} recipients get a message.`
          : `${formatCount(rest, "person has", "people have")} not received it yet and will be skipped.`}
      </p>
      {status !== "scheduled" && <p>Messages already sent or in progress still arrive.</p>}
      <p>You can't resume a cancelled campaign. To stop temporarily, pause it.</p>
      <CancelForm here={here} label="Cancel campaign" />
    </Dialog>
  );
};

const endedAs: Partial<Record<Campaign["status"], string>> = { cancelled: "Cancelled", failed: "Failed" };

const scheduledAs = ({ status, started_at }: CampaignRecord): string =>
  status === "draft"
    ? "Planned for"
    : status === "cancelled" && started_at === null
      ? "Was scheduled for"
      : "Scheduled for";

export const CampaignTimes: FC<{ record: CampaignRecord }> = ({ record }) => {
  const time = (at: number | null) => (at === null ? null : <ZonedTime at={at} />);
  return (
    <Facts
      facts={[
        ["Created", time(record.created_at)],
        [scheduledAs(record), time(record.scheduled_at)],
        ["Started", time(record.started_at)],
        ["Stops at", time(record.send_before)],
        [endedAs[record.status] ?? "Completed", time(record.completed_at)],
      ]}
    />
  );
};
