// The line of a conversation in lists.
import type { FC } from "hono/jsx";
import type { ConversationRecord } from "../../../features/conversations/conversations.schemas.ts";

/** Text of ours is told from theirs; a conversation that was only opened has none. */
export const LastMessage: FC<{ of: ConversationRecord }> = ({ of: { last_message: text, is_last_ours: isOurs } }) => (
  <>{text === "" ? "No message yet" : isOurs === 1 ? `You: ${text}` : text}</>
);
