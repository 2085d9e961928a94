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
  invalid_recipient: "This number is not on the network.",
  undeliverable: "The message couldn't be delivered to this person.",
  frequency_capped: "WhatsApp limits marketing messages to this person. Try again in a day.",
  window_closed: "More than 24 hours have passed since this person last wrote. Send a template instead.",
  unsubscribed: "This person has unsubscribed.",
  template_rejected: "The provider rejected the template.",
  rate_limited: "Too many messages were sent at once. Try again later.",
  account_blocked: "The provider has blocked the account.",
  provider_unreachable: "Couldn't reach the provider. Try again.",
  unsupported_message: "The provider can't send this kind of message.",
  unreachable: "This person has no address on this connection.",
  media_invalid: "The file couldn't be sent.",
};

const NOT_KNOWN = "The provider didn't confirm the message, so it isn't sent again automatically.";

export function describeDelivery({ delivery, error }: Delivered): string | null {
  if (delivery === "unknown") return NOT_KNOWN;
  if (delivery !== "failed") return null;
  return error?.message ?? reasons[error?.code ?? ""] ?? "The provider rejected the message.";
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
