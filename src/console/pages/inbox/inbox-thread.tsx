// The messages of a thread, with their delivery.
import type { FC } from "hono/jsx";
import type { Thread, ThreadMessage } from "../../../features/messages/open-thread.ts";
import { encodeCursor } from "../../../http/fields.ts";
import { LocalTime } from "../../kit/feedback.tsx";
import { useWorkspaceRequest } from "../../kit/request.ts";
import { conversationTitle } from "./inbox-list.tsx";
import { inboxPath } from "./inbox-query.ts";

/** The number of messages on one page of a thread. */
export const MESSAGES_PER_PAGE = 50;

const marks: Record<ThreadMessage["delivery"], { sign: string; word: string }> = {
  queued: { sign: "○", word: "Queued" },
  sent: { sign: "✓", word: "Sent" },
  delivered: { sign: "✓✓", word: "Delivered" },
  read: { sign: "✓✓", word: "Read" },
  failed: { sign: "✕", word: "Failed" },
  unknown: { sign: "?", word: "Unknown" },
};

const reasons: Record<string, string> = {
  invalid_recipient: "The number is not on this network.",
  undeliverable: "It could not be delivered to this person.",
  window_closed: "More than 24 hours had passed since this person last wrote.",
  unsubscribed: "This person has unsubscribed.",
  template_rejected: "The provider refused the template.",
  rate_limited: "Too many messages were sent at once.",
  account_blocked: "The provider has blocked the account.",
  provider_unreachable: "The provider could not be reached.",
};

const NOT_KNOWN = "The provider may or may not have it, so it is not sent again by itself.";

function describeDelivery({ delivery, error }: ThreadMessage): string | null {
  if (delivery === "unknown") return NOT_KNOWN;
  if (delivery !== "failed") return null;
  return error?.message ?? reasons[error?.code ?? ""] ?? "The provider refused it.";
}

const DeliveryMark: FC<{ message: ThreadMessage }> = ({ message }) => {
  const { sign, word } = marks[message.delivery];
  const reason = describeDelivery(message);
  return (
    <span class={`mark ${message.delivery}`}>
      <span aria-hidden="true">{sign}</span> {word}
      {reason !== null && `: ${reason}`}
    </span>
  );
};

/** The texts of a message before it was edited or deleted. */
const EarlierVersions: FC<{ message: ThreadMessage }> = ({ message: { earlier } }) =>
  earlier.length === 0 ? null : (
    <details class="earlier">
      <summary>Earlier versions</summary>
      {earlier.map((body) => (
        <p class="body">{body}</p>
      ))}
    </details>
  );

const Message: FC<{ message: ThreadMessage; who: string }> = ({ message, who }) => {
  const { id, body, fromContact, by, at, editedAt, revokedAt } = message;
  return (
    <li id={id} class={`message ${fromContact ? "in" : "out"}`}>
      <p class="body">
        <span class="unseen">{fromContact ? who : "You"}: </span>
        {revokedAt === null ? body : <em>This message was deleted</em>}
      </p>
      <EarlierVersions message={message} />
      <p class="meta">
        {revokedAt === null && editedAt !== null && <span>Edited · </span>}
        {by !== null && <span>{by === "campaign" ? "Campaign" : "Template"} · </span>}
        <span class="clock">
          <LocalTime at={at} />
        </span>
        {!fromContact && <DeliveryMark message={message} />}
      </p>
    </li>
  );
};

const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" });

/** Messages from oldest to newest, separated by days in UTC, which a script turns into the reader's. */
function withDays(messages: readonly ThreadMessage[], who: string) {
  let last = "";
  return messages.toReversed().flatMap((message) => {
    const today = day.format(message.at);
    const separator = today === last ? [] : [<li class="day">{today}</li>];
    last = today;
    return [...separator, <Message message={message} who={who} />];
  });
}

/** Shows the newest message at the bottom. Polls where the newest messages are shown. */
export const ThreadMessages: FC<{ thread: Thread; isLatest: boolean }> = ({ thread, isLatest }) => {
  const request = useWorkspaceRequest();
  const { conversation } = thread;
  const who = conversationTitle(conversation);
  const shown = thread.messages.slice(0, MESSAGES_PER_PAGE);
  const oldest = shown.at(-1);
  const hasOlder = thread.messages.length > MESSAGES_PER_PAGE && oldest !== undefined;
  return (
    <div class="messages" role="region" aria-label="Messages" tabindex={0}>
      <div id="thread" data-who={who} {...(isLatest && { "data-poll": "3", "data-swap": "conversations window" })}>
        {hasOlder && (
          <p class="older">
            <a href={inboxPath(request, conversation.id, { before: encodeCursor([oldest.id]) })}>Older messages</a>
          </p>
        )}
        {shown.length === 0 ? (
          <p class="help older">No messages yet.</p>
        ) : (
          <ol class="thread-messages">{withDays(shown, who)}</ol>
        )}
        {!isLatest && (
          <p class="older">
            <a href={inboxPath(request, conversation.id)}>Latest messages</a>
          </p>
        )}
      </div>
    </div>
  );
};
