// The last message of a conversation, in lists.
import type { FC } from "hono/jsx";
import type { ConversationRecord } from "../../../features/conversations/conversations.schemas.ts";
import type { MemberRecord } from "../../../features/members/members.schemas.ts";
import { useWorkspaceRequest } from "../../kit/request.ts";
import { nameSender } from "./message-author.ts";

interface LastMessageProps {
  of: ConversationRecord;
  /** Left out on a page that does not know them. */
  members?: readonly MemberRecord[] | undefined;
}

/** Stands before a message of ours. */
export const Sender: FC<{ author: string | null; members?: LastMessageProps["members"] }> = ({ author, members }) => (
  <>{`${nameSender(useWorkspaceRequest(), members, author)}: `}</>
);

/** A conversation that was only opened has none. */
export const LastMessage: FC<LastMessageProps> = ({ of, members }) => {
  const { last_message: text, is_last_ours: isOurs, last_author_id: author } = of;
  if (text === "") return <>No messages yet</>;
  return (
    <>
      {isOurs === 1 && <Sender author={author} members={members} />}
      {text}
    </>
  );
};
