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

/** The sender of a message of ours: the member, a colleague, or the team where software sent it. */
export const Sender: FC<{ author: string | null; members: readonly MemberRecord[] }> = ({ author, members }) => {
  const me = useWorkspaceRequest().session.user.id;
  const name = author === me ? "You" : (members.find(({ user_id: id }) => id === author)?.name ?? "Team");
  return <>{`${name}: `}</>;
};

/** A conversation that was only opened has none. */
export const LastMessage: FC<LastMessageProps> = ({ of, members = [] }) => {
  const { last_message: text, is_last_ours: isOurs, last_author_id: author } = of;
  if (text === "") return <>No message yet</>;
  return (
    <>
      {isOurs === 1 && <Sender author={author} members={members} />}
      {text}
    </>
  );
};
