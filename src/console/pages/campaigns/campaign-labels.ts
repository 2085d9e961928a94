// Labels and explanations of campaign statuses, recipient states, reasons and audiences.
import type { CampaignRecord, RecipientRecord } from "../../../features/campaigns/campaigns.schemas.ts";
import type { AudienceDescription } from "../../../features/campaigns/start/describe-audience.ts";
import type { Tone } from "../../kit/feedback.tsx";
import { toLabel } from "../../kit/format.ts";

type Status = CampaignRecord["status"];
export type RecipientState = RecipientRecord["state"];

export const campaignStatusLabels: Record<Status, { label: string; tone: Tone }> = {
  draft: { label: "Draft", tone: "plain" },
  scheduled: { label: "Scheduled", tone: "info" },
  running: { label: "Running", tone: "info" },
  paused: { label: "Paused", tone: "warning" },
  completed: { label: "Completed", tone: "good" },
  cancelled: { label: "Cancelled", tone: "plain" },
  failed: { label: "Failed", tone: "bad" },
};

/** The states of a recipient's message. */
export const recipientStateLabels: Record<RecipientState, { label: string; meaning: string; tone: Tone }> = {
  read: { label: "Read", meaning: "opened by the person", tone: "good" },
  delivered: { label: "Delivered", meaning: "arrived on the phone", tone: "good" },
  sent: { label: "Sent", meaning: "taken by the provider", tone: "info" },
  pending: { label: "Waiting", meaning: "not sent yet, or to be tried again", tone: "plain" },
  skipped: { label: "Skipped", meaning: "not sent, for good", tone: "plain" },
  failed: { label: "Failed", meaning: "refused", tone: "bad" },
  unknown: {
    label: "Unknown",
    meaning: "may have arrived: the provider's answer was lost, so it is not sent again",
    tone: "warning",
  },
};

/** States from the best to the worst. */
export const STATE_ORDER = [
  "read",
  "delivered",
  "sent",
  "unknown",
  "skipped",
  "failed",
  "pending",
] as const satisfies RecipientState[];

const reasons: Record<string, string> = {
  unsubscribed: "Unsubscribed",
  marketing_opt_out: "Marketing off",
  archived: "The contact is archived",
  missing_variable: "The contact lacks a value for a variable",
  too_long: "The text would be over 4,096 characters",
  expired: "The time to send in was over",
  cancelled: "The campaign was cancelled",
  no_phone: "Neither a phone number nor a user id",
  no_address: "No address on this connection: known elsewhere only, and no phone number",
  unreachable: "The contact has no address on this connection any more",
  media_invalid: "The file could not be sent",
  unsupported_message: "The provider cannot send this kind of message",
  duplicate: "The same person as another contact",
  invalid_recipient: "This number or user id cannot receive messages",
  undeliverable: "The provider could not deliver it to this person",
  frequency_capped: "WhatsApp limits how many marketing messages the person gets",
  window_closed: "The 24 hours to answer in were over",
  template_rejected: "The provider refused the template",
  rate_limited: "The provider asked to send less",
  account_blocked: "The provider has blocked the account",
  provider_unreachable: "The provider did not answer",
  provider_rejected: "The provider refused the message",
  other: "No reason was given",
};

/** The reason why a recipient is or was not sent to. */
export const describeReason = (reason: string): string => reasons[reason] ?? reason;

const connection =
  "The connection cannot send: its access or session with the provider has ended. Test it under Settings, Connections, and fix it there";

const errorsOfPaused: Record<string, string> = {
  too_many_failures:
    "More than half of the last 100 messages failed for reasons that say nothing of the people, so sending has stopped. Check the reasons among the failed recipients below; once that is fixed, resume.",
  provider_unreachable:
    "Couldn't reach the provider: several messages in a row got no usable answer, so sending has stopped. The connection is tested each minute and shows when the provider answers again; then resume, or resume now to try at once.",
  provider_rejected:
    "The provider refused several messages in a row, so sending has stopped. Check the reasons among the failed recipients below; once that is fixed, resume.",
  connection_unavailable: `${connection}; then resume.`,
  account_blocked: `${connection}; then resume.`,
  template_not_approved:
    "The provider does not approve of the template (any more). Sync the connection's templates once that has changed, then resume, or start another campaign with another template.",
  template_rejected:
    "The provider has paused or refused the template, mostly because people reported its messages. Change it with the provider and wait for approval before you resume.",
  rate_limited:
    "The provider takes no more from this number for now, mostly because people blocked or reported its messages. Wait a day, send to people who expect it, then resume.",
};

/** A failed campaign cannot be resumed. */
const errorsOfFailed: Record<string, string> = {
  connection_unavailable: `${connection}; then start another campaign.`,
  template_not_approved:
    "The provider does not approve of the template (any more). Start another campaign with another template, or with this one once it is approved and the connection's templates are synced.",
  template_not_sendable:
    "Campaigns cannot use this template: it carries a login code or needs values that campaigns cannot have. Start another campaign with another template.",
  missing_variable:
    "The template needs a value that the campaign does not have, such as a position like {{1}}, a picture or a deleted field. Duplicate the campaign, edit the copy and enter the value.",
  audience_invalid: "A segment or tag that it was for has been deleted. Duplicate it with another audience.",
  no_recipients: "Nobody was left in the audience when it was to start. Start another campaign with another audience.",
  missed_schedule:
    "It was found more than a day after its time, so it was not sent: it might have been out of date. Start another one.",
};

/** Explains a campaign's `last_error` and what to do about it. */
export function describeCampaignError(error: string, status: Status): string {
  if (status === "failed") {
    return errorsOfFailed[error] ?? `It could not start (${describeReason(error)}). Start another campaign.`;
  }
  if (status === "completed") return `It ended with errors (${describeReason(error)}). Look at the recipients below.`;
  return (
    errorsOfPaused[error] ??
    `The provider stopped the campaign (${describeReason(error)}). Look at the failed recipients below, then resume.`
  );
}

const listWith = (names: readonly string[], word: "and" | "or"): string =>
  new Intl.ListFormat("en", { type: word === "and" ? "conjunction" : "disjunction" }).format(names);

/** Describes the audience of a campaign. */
export function describeAudience({ tags, mode, status, segment }: AudienceDescription): string {
  const quoted = tags.map((tag) => `“${tag}”`);
  const parts = [
    ...(tags.length === 0 ? [] : [`tagged ${listWith(quoted, mode === "all" ? "and" : "or")}`]),
    ...(status === null ? [] : [`with the status ${toLabel(status)}`]),
    ...(segment === null ? [] : [segment.name === null ? "of a deleted segment" : `of the segment “${segment.name}”`]),
  ];
  return parts.length === 0 ? "Everyone who can be reached" : `Contacts ${parts.join(", ")}`;
}
