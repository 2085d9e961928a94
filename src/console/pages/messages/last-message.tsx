import type { FC } from "hono/jsx";
import type { ConversationRecord } from "../../../features/conversations/conversations.schemas.ts";
import type { MemberRecord } from "../../../features/members/members.schemas.ts";
import { useWorkspaceRequest } from "../../kit/request.ts";
import { nameSender } from "./message-author.ts";

interface LastMessageProps {
  of: ConversationRecord;
  /** Omitted on pages that don't load members. */
  members?: readonly MemberRecord[] | undefined;
}

/** Precedes outgoing messages. */
export const Sender: FC<{ author: string | null; members?: LastMessageProps["members"] }> = ({ author, members }) => (
  <>{`${nameSender(useWorkspaceRequest(), members, author)}: `}</>
);

/** A new conversation has none. */
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
