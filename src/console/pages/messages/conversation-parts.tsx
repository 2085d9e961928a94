import { listApiKeys } from "../../../features/api-keys/api-keys.service.ts";
import type { MemberRecord } from "../../../features/members/members.schemas.ts";
import { listMembers } from "../../../features/members/members.service.ts";
import { PROVIDER_AGENT } from "../../../features/messages/messages.states.ts";
import { type WorkspaceRequest, useWorkspaceRequest } from "../../kit/request.ts";
import type { FC } from "hono/jsx";
import type { ConversationRecord } from "../../../features/conversations/conversations.schemas.ts";
import { Badge, LocalTime } from "../../kit/feedback.tsx";
import { toLabel } from "../../kit/format.ts";

const MAX_LISTED = 100;

const AGENT = "Provider's agent";

const isKey = (authorId: string): boolean => authorId.startsWith("key_");

/**
 * Returns "Team" for campaigns and for messages from other devices, because their author is unknown. Pages that
 * do not load `members` show "Team" for all members except the current user.
 */
export function nameSender(
  { session }: WorkspaceRequest,
  members: readonly MemberRecord[] | undefined,
  authorId: string | null,
): string {
  if (authorId === session.user.id) return "You";
  if (authorId === PROVIDER_AGENT) return AGENT;
  if (authorId !== null && isKey(authorId)) return "API";
  if (authorId === null || members === undefined) return "Team";
  return members.find(({ user_id }) => user_id === authorId)?.name ?? "A former member";
}

/** Returns null for campaigns and for messages from other devices, because their author is unknown. */
export async function findAuthor(request: WorkspaceRequest, authorId: string | null): Promise<string | null> {
  if (authorId === null) return null;
  if (authorId === PROVIDER_AGENT) return AGENT;
  if (!isKey(authorId)) return nameSender(request, await listMembers(request.ctx, MAX_LISTED), authorId);
  const key = (await listApiKeys(request.ctx, MAX_LISTED, undefined)).find(({ id }) => id === authorId);
  return key === undefined ? "A deleted API key" : `API key ${key.name}`;
}

interface LastMessageProps {
  of: ConversationRecord;
  members?: readonly MemberRecord[] | undefined;
}

export const Sender: FC<{ author: string | null; members?: LastMessageProps["members"] }> = ({ author, members }) => (
  <>{`${nameSender(useWorkspaceRequest(), members, author)}: `}</>
);

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

export const ConversationStatus: FC<{ of: ConversationRecord }> = ({ of: { status, snoozed_until: until } }) =>
  until === null ? (
    <Badge tone={status === "open" ? "info" : "plain"}>{toLabel(status)}</Badge>
  ) : (
    <Badge tone="info">
      Snoozed until <LocalTime at={until} />
    </Badge>
  );

export const StatusUnlessOpen: FC<{ of: ConversationRecord }> = ({ of }) =>
  of.status === "open" && of.snoozed_until === null ? null : <ConversationStatus of={of} />;

const BEFORE = 24;
const LENGTH = 120;

/**
 * Splits the text around the first searched word, so that the word can be marked. The search ignores case and
 * accents, but this function ignores only case: if the search for `jose` found `José`, no word is marked.
 */
function excerptOf(body: string, search: string): { before: string; word: string; after: string } {
  const lower = body.toLowerCase();
  const found = search
    .split(/\s+/u)
    .map((word) => ({ word, at: word === "" ? -1 : lower.indexOf(word.toLowerCase()) }))
    .filter(({ at }) => at >= 0);
  const [first] = found.toSorted((a, b) => a.at - b.at);
  if (first === undefined || lower.length !== body.length)
    return { before: body.slice(0, LENGTH), word: "", after: "" };
  const start = Math.max(0, first.at - BEFORE);
  const end = first.at + first.word.length;
  return {
    before: (start > 0 ? "…" : "") + body.slice(start, first.at),
    word: body.slice(first.at, end),
    after: body.slice(end, end + LENGTH),
  };
}

export const Excerpt: FC<{ body: string; search: string }> = ({ body, search }) => {
  const { before, word, after } = excerptOf(body, search);
  return (
    <>
      {before}
      {word !== "" && <mark>{word}</mark>}
      {after}
    </>
  );
};
