// The line of a conversation in lists.
import type { FC } from "hono/jsx";
import type { ConversationRecord } from "../../../features/conversations/conversations.schemas.ts";
import type { MemberRecord } from "../../../features/members/members.schemas.ts";
import { useWorkspaceRequest } from "../../kit/request.ts";

interface LastMessageProps {
  of: ConversationRecord;
  /** Those whose messages carry their names. */
  members?: readonly MemberRecord[];
}

/** Text of ours is told from theirs, and the member's own from that of others and of software. A conversation that was only opened has none. */
export const LastMessage: FC<LastMessageProps> = ({ of, members = [] }) => {
  const { last_message: text, is_last_ours: isOurs, last_author_id: author } = of;
  const me = useWorkspaceRequest().session.user.id;
  if (text === "") return <>No message yet</>;
  if (isOurs !== 1) return <>{text}</>;
  const sender = author === me ? "You" : (members.find(({ user_id: id }) => id === author)?.name ?? "Team");
  return <>{`${sender}: ${text}`}</>;
};
