// Builds the outbound message of a claim, or its outcome if a part is missing.
import { outboundContent, type OutboundContent } from "../../../channels/content.ts";
import { refusedOutcome } from "../../../channels/answers.ts";
import type { OutboundMessage, SendOutcome } from "../../../channels/channel.ts";
import { phoneKey } from "../../../shared/text/phone.ts";
import { FILE_POLL_MS, QUOTE_POLL_MS, QUOTE_WAIT_MS } from "../messages.waiting.ts";
import type { Held } from "../settle/decide-settlement.ts";
import type { ClaimedMessage } from "./claim.sql.ts";

const fileFaults = new Map([
  ["failed", "The file could not be fetched."],
  ["expired", "The file has expired."],
  ["missing", "The file was deleted."],
]);

const describeFileFault = ({ status, reason }: NonNullable<ClaimedMessage["file"]>): string =>
  reason === null ? (fileFaults.get(status) ?? "The file cannot be sent.") : `The file cannot be sent. ${reason}`;

/** Null if the message can be sent. Otherwise the outcome: its file or quoted message is not ready or never will be. */
export function outcomeWithoutCall(claimed: ClaimedMessage, now: number): SendOutcome | Held | null {
  const { file, reply_to, reply_to_provider_id, may_quoted_still_leave, wanted_at, type } = claimed;
  if (file?.status === "pending") return { kind: "held", until: now + FILE_POLL_MS };
  if (file !== null && file.status !== "stored") return refusedOutcome("media_invalid", describeFileFault(file));
  if (reply_to === null || reply_to_provider_id !== null) return null;
  const waitsUntil = wanted_at + QUOTE_WAIT_MS;
  if (may_quoted_still_leave && now < waitsUntil)
    return { kind: "held", until: Math.min(now + QUOTE_POLL_MS, waitsUntil) };
  return type === "reaction" ? refusedOutcome("undeliverable", "The message to react to was not sent.") : null;
}

const storedContent = ({ type, content }: ClaimedMessage): OutboundContent | null =>
  content === null ? null : outboundContent.parse({ type: type ?? "text", content });

/** The spelling of the number that its holder last wrote from, if known. */
const knownSpelling = ({ address, wrote_from, wrote_from_key }: ClaimedMessage): { wroteFrom?: string } =>
  wrote_from === null || wrote_from_key === null || wrote_from_key !== phoneKey(address)
    ? {}
    : { wroteFrom: wrote_from };

export function composeMessage(claimed: ClaimedMessage): OutboundMessage {
  const content = storedContent(claimed);
  return {
    id: claimed.id,
    to: claimed.address,
    ...knownSpelling(claimed),
    body: claimed.body,
    attempt: claimed.attempts,
    ...(claimed.template_form !== null && { template: claimed.template_form }),
    ...(content !== null && { content }),
    ...(claimed.reply_to_provider_id !== null && { replyTo: claimed.reply_to_provider_id }),
  };
}
