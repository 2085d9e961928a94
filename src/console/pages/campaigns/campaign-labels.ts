import type { CampaignRecord, RecipientRecord } from "../../../features/campaigns/campaigns.schemas.ts";
import type { AudienceDescription } from "../../../features/campaigns/edit/stored-request.ts";
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

export const recipientStateLabels: Record<RecipientState, { label: string; meaning: string; tone: Tone }> = {
  read: { label: "Read", meaning: "opened by the person", tone: "good" },
  delivered: { label: "Delivered", meaning: "reached the phone", tone: "good" },
  sent: { label: "Sent", meaning: "accepted by the provider", tone: "info" },
  pending: { label: "Waiting", meaning: "waiting, or to be retried", tone: "plain" },
  skipped: { label: "Skipped", meaning: "not sent, for example after an opt-out", tone: "plain" },
  failed: { label: "Failed", meaning: "rejected", tone: "bad" },
  unknown: {
    label: "Unknown",
    meaning: "might have arrived: the provider's response was lost, so it isn't sent again",
    tone: "warning",
  },
};

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
  missing_variable: "The contact has no value for a variable",
  too_long: "The text is over 4,096 characters",
  expired: "The sending window ended",
  cancelled: "The campaign was cancelled",
  no_phone: "No phone number or user ID",
  no_address: "No phone number, and no address on this connection",
  unreachable: "The contact no longer has an address on this connection",
  media_invalid: "The file couldn't be sent",
  unsupported_message: "The provider can't send this kind of message",
  duplicate: "Same person as another contact",
  invalid_recipient: "This number or user ID can't receive messages",
  undeliverable: "The provider couldn't deliver it to this person",
  frequency_capped: "WhatsApp limited marketing messages to this person",
  window_closed: "The person last wrote more than 24 hours before",
  template_rejected: "The provider rejected the template",
  rate_limited: "The provider's rate limit was reached",
  account_blocked: "The provider has blocked the account",
  provider_unreachable: "The provider didn't respond",
  provider_rejected: "The provider rejected the message",
  other: "No reason given",
};

export const describeReason = (reason: string): string => reasons[reason] ?? reason;

const connection =
  "The connection can't send because its access or session has ended. Test and fix it under Settings, Connections";

const errorsOfPaused: Record<string, string> = {
  restored:
    "The operator restored the database to an earlier time. Recipients shown as pending may have received the message after that time. Cancel the campaign, or resume to send to all of them, to some possibly twice.",
  too_many_failures:
    "Sending stopped because more than half of the last 100 messages failed. Fix the reasons shown for the failed recipients below, then resume.",
  provider_unreachable:
    "Couldn't reach the provider, so sending stopped. We test the connection every minute. Resume when the connection works again, or resume now to retry.",
  provider_rejected:
    "Sending stopped because the provider rejected several messages in a row. Fix the reasons shown for the failed recipients below, then resume.",
  connection_unavailable: `${connection}, then resume.`,
  account_blocked: `${connection}, then resume.`,
  template_not_approved:
    "The template isn't approved. Once it is, sync the connection's templates and resume, or start a new campaign with another template.",
  template_rejected:
    "The provider paused or rejected the template, usually because people reported it. Edit it, wait for approval, then resume.",
  rate_limited:
    "The provider limited this number, usually because people blocked or reported it. Wait a day, narrow the audience to people who expect your messages, then resume.",
};

const errorsOfFailed: Record<string, string> = {
  connection_unavailable: `${connection}, then start a new campaign.`,
  template_not_approved:
    "The template isn't approved. Start a new campaign with another template, or sync the connection's templates once it is approved.",
  template_not_sendable:
    "Campaigns can't use this template: it contains a login code or values that campaigns can't provide. Start a new campaign with another template.",
  missing_variable:
    "The template needs a value that the campaign doesn't have, like {{1}}, an image or a deleted field. Duplicate the campaign and enter the value.",
  audience_invalid: "A segment or tag of the audience was deleted. Duplicate the campaign with another audience.",
  no_recipients: "The audience was empty at the start. Start a new campaign with another audience.",
  missed_schedule: "The campaign was more than a day late, so it wasn't sent. Start a new campaign.",
};

const RESTORED_DRAFT =
  "The operator restored the database to an earlier time. After that time the campaign may have started, and people may have received its message. Start the draft to send it to all of them, or discard it.";

export function describeCampaignError(error: string, status: Status): string {
  if (status === "draft" && error === "restored") return RESTORED_DRAFT;
  if (status === "failed") {
    return errorsOfFailed[error] ?? `The campaign couldn't start (${describeReason(error)}). Start a new campaign.`;
  }
  if (status === "completed")
    return `The campaign ended with errors (${describeReason(error)}). Check the recipients below.`;
  return (
    errorsOfPaused[error] ??
    `The provider stopped the campaign (${describeReason(error)}). Check the failed recipients below, then resume.`
  );
}

const listWith = (names: readonly string[], word: "and" | "or"): string =>
  new Intl.ListFormat("en", { type: word === "and" ? "conjunction" : "disjunction" }).format(names);

export function describeAudience({ tags, mode, status, segment }: AudienceDescription): string {
  const quoted = tags.map((tag) => `“${tag}”`);
  const parts = [
    ...(tags.length === 0 ? [] : [`tagged ${listWith(quoted, mode === "all" ? "and" : "or")}`]),
    ...(status === null ? [] : [`with status ${toLabel(status)}`]),
    ...(segment === null ? [] : [segment.name === null ? "in a deleted segment" : `in the segment “${segment.name}”`]),
  ];
  return parts.length === 0 ? "All reachable contacts" : `Contacts ${parts.join(", ")}`;
}
