import type { FC, Child } from "hono/jsx";
import type { Thread, ThreadMessage } from "../../../features/messages/history/open-thread.ts";
import { LocalTime } from "../../kit/feedback.tsx";
import { ReferralCard } from "./message-cards.tsx";
import { MessageContent, type RenderedContent } from "./message-content.tsx";
import type { FilesById } from "./message-files.tsx";
import { Icon } from "../../kit/icon.tsx";

type Delivered = Pick<Thread["messages"][number], "delivery" | "error">;

const deliveryMarks: Record<NonNullable<Delivered["delivery"]>, { sign: string; word: string }> = {
  scheduled: { sign: "◷", word: "Scheduled" },
  queued: { sign: "○", word: "Queued" },
  sent: { sign: "✓", word: "Sent" },
  delivered: { sign: "✓✓", word: "Delivered" },
  read: { sign: "✓✓", word: "Read" },
  failed: { sign: "✕", word: "Failed" },
  unknown: { sign: "?", word: "Unknown" },
  cancelled: { sign: "✕", word: "Cancelled" },
};

export const deliveryWord = (delivery: keyof typeof deliveryMarks): string => deliveryMarks[delivery].word;

const reasons: Record<string, string> = {
  invalid_recipient: "This number has no account with the messaging app.",
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

const NOT_KNOWN =
  "The provider didn't confirm the message. It might have arrived, so it isn't sent again automatically.";

export function describeDelivery({ delivery, error }: Delivered): string | null {
  if (delivery === "unknown") return error?.code === "restored" ? error.message : NOT_KNOWN;
  if (delivery !== "failed") return null;
  return error?.message ?? reasons[error?.code ?? ""] ?? "The provider rejected the message.";
}

const DeliveryMark: FC<{ message: Delivered }> = ({ message }) => {
  if (message.delivery === null) return null;
  const { sign, word } = deliveryMarks[message.delivery];
  const reason = describeDelivery(message);
  return (
    <span class={`mark ${message.delivery}`}>
      <span aria-hidden="true">{sign}</span> {word}
      {reason !== null && `: ${reason}`}
    </span>
  );
};

const EMOJI = [
  ["👍", "Thumbs up"],
  ["❤️", "Heart"],
  ["😂", "Laughing"],
  ["😮", "Surprised"],
  ["😢", "Sad"],
  ["🙏", "Thank you"],
] as const;

export const EmojiButtons: FC<{ own?: string }> = ({ own = "" }) => (
  <div class="emoji-buttons">
    {EMOJI.map(([emoji, name]) => (
      <button
        type="submit"
        class="plain"
        name="emoji"
        value={emoji === own ? "" : emoji}
        data-emoji={emoji}
        aria-pressed={emoji === own ? "true" : "false"}
        aria-label={name}
      >
        {emoji}
      </button>
    ))}
  </div>
);

function withMentions(text: string, names: readonly string[]): Child[] {
  const marks = names.map((name) => `@${name}`);
  const isMark = (part: string) => marks.some((mark) => mark.toLowerCase() === part.toLowerCase());
  const escaped = marks.toSorted((a, b) => b.length - a.length).map((mark) => RegExp.escape(mark));
  const parts = escaped.length === 0 ? [text] : text.split(new RegExp(`(${escaped.join("|")})`, "iu"));
  return parts.map((part) => (isMark(part) ? <mark>{part}</mark> : part));
}

const NoteBubble: FC<{ message: ThreadMessage; note: NonNullable<ThreadMessage["note"]> }> = ({
  message: { id, body, at },
  note: { author, mentions },
}) => (
  <li id={id} class="message note">
    <p class="note-author">
      <Icon name="lock" size="small" /> {author} <span class="help">· Team note</span>
    </p>
    <p class="said">{withMentions(body, mentions)}</p>
    <div class="meta">
      <span class="clock">
        <LocalTime at={at} />
      </span>
    </div>
  </li>
);

export interface Quoted {
  /**
   * The link to the quoted message: an anchor if it is on this page, and otherwise the URL of the message's own
   * page.
   */
  href: string;
  who: string;
  text: string;
}

interface BubbleProps {
  message: ThreadMessage;
  components: RenderedContent["components"];
  files: FilesById;
  who: string;
  sender: string;
  quoted: Quoted | null;
  details: string | null;
  children?: Child;
}

const EarlierVersions: FC<{ message: ThreadMessage }> = ({ message: { earlier } }) =>
  earlier.length === 0 ? null : (
    <details class="earlier">
      <summary>Earlier versions</summary>
      {earlier.map((body) => (
        <p class="said">{body}</p>
      ))}
    </details>
  );

const Quote: FC<{ quoted: Quoted }> = ({ quoted: { href, who, text } }) => (
  <a class="quote" href={href}>
    <span class="unseen">Answers </span>
    <strong>{who}</strong>
    <span class="quoted-text">{text}</span>
  </a>
);

const Reactions: FC<{ message: ThreadMessage; who: string }> = ({ message: { reactions }, who }) => {
  const visible = reactions.filter(({ emoji }) => emoji !== "");
  return visible.length === 0 ? null : (
    <p class="reactions">
      {visible.map(({ emoji, from_contact: fromContact }) => (
        <span title={`${fromContact ? who : "You"} reacted`}>
          <span class="unseen">{fromContact ? who : "You"} reacted </span>
          {emoji}
        </span>
      ))}
    </p>
  );
};

const NAMED_BY = 60;

function beginningOf(text: string): string {
  const characters = Array.from(text);
  return characters.length <= NAMED_BY ? text : `${characters.slice(0, NAMED_BY).join("")} …`;
}

export const MessageBubble: FC<BubbleProps> = ({
  message,
  components,
  files,
  who,
  sender,
  quoted,
  details,
  children,
}) => {
  const { id, type, content, templateTitle, body, fromContact, by, at, editedAt, revokedAt, isForwarded, referral } =
    message;
  const own = message.reactions.find((reaction) => !reaction.from_contact)?.emoji;
  if (message.note !== null) return <NoteBubble message={message} note={message.note} />;
  return (
    <li id={id} class={`message ${fromContact ? "in" : "out"} of-${type}`}>
      {isForwarded && <p class="help forwarded">Forwarded</p>}
      {referral !== null && <ReferralCard referral={referral} />}
      {quoted !== null && <Quote quoted={quoted} />}
      <div class="body">
        <span class="unseen">{fromContact ? who : sender}: </span>
        {revokedAt === null ? (
          <MessageContent message={{ type, content, templateTitle, body, components, fromContact }} files={files} />
        ) : (
          <em>This message was deleted</em>
        )}
      </div>
      <EarlierVersions message={message} />
      <div class="meta">
        {revokedAt === null && editedAt !== null && <span>Edited · </span>}
        {!fromContact && sender !== "You" && by !== "campaign" && <span>{sender} · </span>}
        {by !== null && <span>{by === "campaign" ? "Campaign" : "Template"} · </span>}
        <span class="clock">
          <LocalTime at={at} />
        </span>
        {!fromContact && <DeliveryMark message={message} />}
        {children}
        {details !== null && (
          <a
            class="options"
            href={details}
            data-message={id}
            data-own={own}
            aria-label={`Message options: ${fromContact ? who : sender}, ${revokedAt === null ? `“${beginningOf(body)}”` : "deleted"}`}
          >
            ⋯
          </a>
        )}
      </div>
      <Reactions message={message} who={who} />
    </li>
  );
};
