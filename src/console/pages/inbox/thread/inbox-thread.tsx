import type { FC } from "hono/jsx";
import type { Thread, ThreadMessage } from "../../../../features/messages/history/open-thread.ts";
import { encodeCursor } from "../../../../http/fields.ts";
import { PostButton } from "../../../kit/actions.tsx";
import { LocalTime } from "../../../kit/feedback.tsx";
import { timeFormat } from "../../../kit/format.ts";
import { useWorkspaceRequest } from "../../../kit/request.ts";
import { MessageBubble, type Quoted } from "../../messages/message-bubble.tsx";
import type { MessageParts } from "../../messages/message-files.tsx";
import { conversationTitle } from "../list/inbox-list.tsx";
import { inboxPath, messagePath } from "../list/inbox-query.ts";
import type { MemberRecord } from "../../../../features/members/members.schemas.ts";
import { nameSender } from "../../messages/conversation-parts.tsx";

export const MESSAGES_PER_PAGE = 50;

const day = timeFormat({ dateStyle: "full" });

export const ScheduledFor: FC<{ message: ThreadMessage; cancel: string }> = ({
  message: { sendAt, delivery },
  cancel,
}) =>
  delivery !== "scheduled" ? null : (
    <span class="scheduled-for">
      {sendAt !== null && (
        <>
          leaves <LocalTime at={sendAt} />{" "}
        </>
      )}
      <PostButton action={cancel} swap="thread conversations">
        Cancel
      </PostButton>
    </span>
  );

const EXCERPT = 160;

/**
 * The messages of a thread. The list starts scrolled to the newest message. Only the page with the newest
 * messages is polled.
 */
export const ThreadMessages: FC<{
  thread: Thread;
  parts: MessageParts;
  members: readonly MemberRecord[];
  isLatest: boolean;
}> = ({ thread: { conversation, messages }, parts, members, isLatest }) => {
  const request = useWorkspaceRequest();
  const who = conversationTitle(conversation);
  const visible = messages.slice(0, MESSAGES_PER_PAGE);
  const byId = new Map(visible.map((message) => [message.id, message]));
  const oldest = visible.at(-1);
  const hasOlder = messages.length > MESSAGES_PER_PAGE && oldest !== undefined;
  const quotedBy = ({ replyTo, type }: ThreadMessage): Quoted | null => {
    if (replyTo === null) return null;
    const target = byId.get(replyTo);
    if (target === undefined)
      return {
        href: messagePath(request, conversation.id, replyTo),
        who: type === "reaction" ? "Go to an earlier message" : "An earlier message",
        text: "",
      };
    const text = target.revokedAt === null ? target.body.slice(0, EXCERPT) : "This message was deleted";
    return { href: `#${replyTo}`, who: target.fromContact ? who : nameSender(request, members, target.authorId), text };
  };
  let last = "";
  // Adds a heading before the first message of each UTC day. A script replaces these headings with headings for
  // the days in the user's time zone.
  const items = visible.toReversed().flatMap((message) => {
    const today = day.format(message.at);
    const separator = today === last ? [] : [<li class="day">{today}</li>];
    last = today;
    const at = messagePath(request, conversation.id, message.id);
    return [
      ...separator,
      <MessageBubble
        message={message}
        components={parts.components.get(message.templateId ?? "")}
        files={parts.files}
        who={who}
        sender={nameSender(request, members, message.authorId)}
        quoted={quotedBy(message)}
        details={at}
      >
        <ScheduledFor message={message} cancel={`${at}/cancel`} />
      </MessageBubble>,
    ];
  });
  return (
    <div class="messages" role="region" aria-label="Messages" tabindex={0}>
      <div
        id="thread"
        data-who={who}
        {...(isLatest && { "data-poll": "3", "data-swap": "conversations window thread-acts thread-marks" })}
        {...(isLatest && { "data-changes-with": conversation.id })}
      >
        {hasOlder && (
          <p class="older">
            <a href={inboxPath(request, conversation.id, { before: encodeCursor([oldest.id]) })}>Older messages</a>
          </p>
        )}
        {visible.length === 0 ? <p class="help older">No messages yet.</p> : <ol class="thread-messages">{items}</ol>}
        {!isLatest && (
          <p class="older">
            <a href={inboxPath(request, conversation.id)}>Latest messages</a>
          </p>
        )}
      </div>
    </div>
  );
};
