// How far a message of ours has come.
import type { FC } from "hono/jsx";
import type { Thread } from "../../../features/messages/history/open-thread.ts";

type Delivered = Pick<Thread["messages"][number], "delivery" | "error">;

const marks: Record<NonNullable<Delivered["delivery"]>, { sign: string; word: string }> = {
  scheduled: { sign: "◷", word: "Scheduled" },
  queued: { sign: "○", word: "Queued" },
  sent: { sign: "✓", word: "Sent" },
  delivered: { sign: "✓✓", word: "Delivered" },
  read: { sign: "✓✓", word: "Read" },
  failed: { sign: "✕", word: "Failed" },
  unknown: { sign: "?", word: "Unknown" },
  cancelled: { sign: "✕", word: "Cancelled" },
};

export const deliveryWord = (delivery: keyof typeof marks): string => marks[delivery].word;

const reasons: Record<string, string> = {
  invalid_recipient: "The number is not on this network.",
  undeliverable: "It could not be delivered to this person.",
  frequency_capped: "WhatsApp limits how many marketing messages this person gets. Try again in a day.",
  window_closed: "More than 24 hours had passed since this person last wrote.",
  unsubscribed: "This person has unsubscribed.",
  template_rejected: "The provider refused the template.",
  rate_limited: "Too many messages were sent at once.",
  account_blocked: "The provider has blocked the account.",
  provider_unreachable: "The provider could not be reached.",
  unsupported_message: "The provider cannot send this kind of message.",
  unreachable: "This person has no address on this connection.",
  media_invalid: "The file could not be sent.",
};

const NOT_KNOWN = "The provider may or may not have it, so it is not sent again by itself.";

export function describeDelivery({ delivery, error }: Delivered): string | null {
  if (delivery === "unknown") return NOT_KNOWN;
  if (delivery !== "failed") return null;
  return error?.message ?? reasons[error?.code ?? ""] ?? "The provider refused it.";
}

export const DeliveryMark: FC<{ message: Delivered }> = ({ message }) => {
  if (message.delivery === null) return null;
  const { sign, word } = marks[message.delivery];
  const reason = describeDelivery(message);
  return (
    <span class={`mark ${message.delivery}`}>
      <span aria-hidden="true">{sign}</span> {word}
      {reason !== null && `: ${reason}`}
    </span>
  );
};
