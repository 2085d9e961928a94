// The last message and the status of a conversation, in lists.
import type { FC } from "hono/jsx";
import type { ConversationRecord } from "../../../features/conversations/conversations.schemas.ts";
import type { MemberRecord } from "../../../features/members/members.schemas.ts";
import { Badge, LocalTime } from "../../kit/feedback.tsx";
import { toLabel } from "../../kit/format.ts";
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
  if (text === "") return <>No message yet</>;
  return (
    <>
      {isOurs === 1 && <Sender author={author} members={members} />}
      {text}
    </>
  );
};

/** Open, done, or snoozed until a time. */
export const ConversationStatus: FC<{ of: ConversationRecord }> = ({ of: { status, snoozed_until: until } }) =>
  until === null ? (
    <Badge tone={status === "open" ? "info" : "plain"}>{toLabel(status)}</Badge>
  ) : (
    <Badge tone="info">
      Snoozed until <LocalTime at={until} />
    </Badge>
  );

/** The status of a conversation that is not among the open ones. */
export const HiddenStatus: FC<{ of: ConversationRecord }> = ({ of }) =>
  of.status === "open" && of.snoozed_until === null ? null : <ConversationStatus of={of} />;
