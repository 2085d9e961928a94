// A note of a thread: members see it, the person does not.
import type { Child, FC } from "hono/jsx";
import type { ThreadMessage } from "../../../features/messages/history/open-thread.ts";
import { LocalTime } from "../../kit/feedback.tsx";
import { Icon } from "../../kit/icon.tsx";

/** The text, with the members that it names marked. */
function withMentions(text: string, names: readonly string[]): Child[] {
  const marks = names.map((name) => `@${name}`);
  const isMark = (part: string) => marks.some((mark) => mark.toLowerCase() === part.toLowerCase());
  const escaped = marks.toSorted((a, b) => b.length - a.length).map((mark) => RegExp.escape(mark));
  const parts = escaped.length === 0 ? [text] : text.split(new RegExp(`(${escaped.join("|")})`, "iu"));
  return parts.map((part) => (isMark(part) ? <mark>{part}</mark> : part));
}

export const NoteBubble: FC<{ message: ThreadMessage; note: NonNullable<ThreadMessage["note"]> }> = ({
  message: { id, body, at },
  note: { author, mentions },
}) => (
  <li id={id} class="message note">
    <p class="note-author">
      <Icon name="lock" size="small" /> {author} <span class="help">· Note for the team</span>
    </p>
    <p class="said">{withMentions(body, mentions)}</p>
    <div class="meta">
      <span class="clock">
        <LocalTime at={at} />
      </span>
    </div>
  </li>
);
