import type { FC } from "hono/jsx";

import type { Connection } from "../../../../features/connections/connections.schemas.ts";

import type { ConversationRecord } from "../../../../features/conversations/conversations.schemas.ts";
import { findMatches, listConversations } from "../../../../features/conversations/conversations.service.ts";
import { encodeCursor } from "../../../../http/fields.ts";
import type { MemberRecord } from "../../../../features/members/members.schemas.ts";
import { ButtonLink } from "../../../kit/actions.tsx";
import { Age, Badge, EmptyState } from "../../../kit/feedback.tsx";
import { formatUsername } from "../../../kit/format.ts";
import { Pager } from "../../../kit/tables.tsx";
import { useWorkspaceRequest, type WorkspaceRequest } from "../../../kit/request.ts";
import { StatusUnlessOpen, LastMessage, Sender, Excerpt } from "../../messages/conversation-parts.tsx";
import { AlertSettings, BulkBar, InboxFilters } from "./inbox-filters.tsx";
import { inboxPath, type InboxQuery } from "./inbox-query.ts";
import { listAllConnections, namesOf } from "../../choices.ts";
import { usePathTo } from "../../../kit/page/optional-link.tsx";

const PER_PAGE = 25;

export interface ConversationList {
  query: InboxQuery;
  conversations: ConversationRecord[];
  matches: Awaited<ReturnType<typeof findMatches>>;
  next: string | null;
  connections: ReadonlyMap<string, string>;
}

export async function loadConversationList(
  { ctx, session }: WorkspaceRequest,
  query: InboxQuery,
  connections?: Promise<readonly Connection[]>,
): Promise<ConversationList> {
  const { status, unread = false, search, assignee, label, cursor: after } = query;
  const filter = {
    ...((status === "open" || status === "done") && { status }),
    ...((status === "open" || status === "snoozed") && { snoozed: status === "snoozed" }),
    assignee,
    unread,
    ...(query.mentioned === true && { mentionedId: session.user.id }),
    search,
    label,
    hasAuthors: true,
    limit: PER_PAGE,
    after,
  };
  const [{ conversations, next }, matches, allConnections] = await Promise.all([
    listConversations(ctx, filter),
    search === undefined ? new Map<never, never>() : findMatches(ctx, search),
    connections ?? listAllConnections(ctx),
  ]);
  return {
    query,
    conversations,
    matches,
    next: next === null ? null : encodeCursor(next),
    connections: namesOf(allConnections),
  };
}

type Named = Pick<ConversationRecord, "contact_name" | "contact_phone" | "contact_username">;

export const conversationAddress = ({
  contact_phone: phone,
  contact_username: username,
}: Omit<Named, "contact_name">) => phone ?? (username === null ? "No phone number" : formatUsername(username));

export const conversationTitle = (conversation: Named): string =>
  conversation.contact_name ?? conversationAddress(conversation);

interface LinkProps {
  conversation: ConversationRecord;
  list: ConversationList;
  members: readonly MemberRecord[];
  selected: boolean;
}

const ConversationLink: FC<LinkProps> = ({
  conversation,
  members,
  list: { query, matches, connections },
  selected,
}) => {
  const { id, connection_id, assignee_id: assigneeId, labels } = conversation;
  const match = matches.get(id);
  const unread = selected ? 0 : conversation.unread_count;
  return (
    <li class={unread > 0 ? "unread" : undefined}>
      <label class="row-tick">
        <input type="checkbox" name="ids" value={id} form="bulk" />
        <span class="unseen">Select {conversationTitle(conversation)}</span>
      </label>
      <a id={`row-${id}`} href={inboxPath(useWorkspaceRequest(), id)} aria-current={selected ? "page" : undefined}>
        <span class="row-top">
          <strong dir="auto">{conversationTitle(conversation)}</strong>
          <span class="brief">
            <Age at={conversation.last_message_at} />
          </span>
        </span>
        <span class="row-text" dir="auto">
          {match === undefined ? (
            <LastMessage of={conversation} members={members} />
          ) : (
            <>
              {match.from_contact === 0 && <Sender author={match.author_id} members={members} />}
              <Excerpt body={match.body} search={query.search ?? ""} />
            </>
          )}
        </span>
        <span class="row-marks">
          {unread > 0 && <Badge tone="info">{unread} unread</Badge>}
          {query.status === "all" && <StatusUnlessOpen of={conversation} />}
          {labels.map((label) => (
            <Badge>{label}</Badge>
          ))}
          {assigneeId !== null && <span class="help">{conversation.assignee_name}</span>}
          {connections.size > 1 && <span class="help">{connections.get(connection_id) ?? "A deleted connection"}</span>}
        </span>
      </a>
    </li>
  );
};

const emptyTexts: readonly { applies(query: InboxQuery): boolean; title: string; text: string }[] = [
  { applies: ({ unread }) => unread === true, title: "All read", text: "New messages appear here automatically." },
  {
    applies: ({ mentioned }) => mentioned === true,
    title: "No new mentions",
    text: "Notes that mention you appear here until you read them.",
  },
  {
    applies: ({ assignee, label }) => assignee !== undefined || label !== undefined,
    title: "No conversations match",
    text: "Remove a filter to see more.",
  },
  {
    applies: ({ status }) => status === "snoozed",
    title: "No snoozed conversations",
    text: "Snoozed conversations return when their time comes or the contact writes.",
  },
  {
    applies: ({ status }) => status === "done",
    title: "No conversations done",
    text: "Conversations you mark as done appear here until the contact writes again.",
  },
];

const NoConversations: FC<{ list: ConversationList }> = ({ list: { query, next, connections } }) => {
  const { path } = useWorkspaceRequest();
  const settings = usePathTo()("/settings/connections");
  if (next !== null) return <EmptyState title="No matches yet">Continue to search older conversations.</EmptyState>;
  const all = <ButtonLink href={path("/inbox?status=all")}>Show all conversations</ButtonLink>;
  if (query.search !== undefined) {
    const isWhole = query.status === "all" && query.unread !== true;
    const everywhere = path(`/inbox?${new URLSearchParams({ status: "all", search: query.search }).toString()}`);
    return (
      <EmptyState
        title="No conversations match"
        action={isWhole ? all : <ButtonLink href={everywhere}>Search all conversations</ButtonLink>}
      >
        No {isWhole ? "" : "such "}conversation of a contact with “{query.search}” in the name, phone, email, company or
        messages.
      </EmptyState>
    );
  }
  const filtered = emptyTexts.find(({ applies }) => applies(query));
  if (filtered !== undefined)
    return (
      <EmptyState title={filtered.title} action={all}>
        {filtered.text}
      </EmptyState>
    );
  if (connections.size > 0)
    return (
      <EmptyState title="No open conversations" {...(query.status === "open" && { action: all })}>
        Messages from contacts appear here automatically.
      </EmptyState>
    );
  return (
    <EmptyState
      title="No connections yet"
      action={settings !== null && <ButtonLink href={settings}>Add connection</ButtonLink>}
    >
      Add a connection to receive messages. {settings === null && "Ask an admin to add one."}
    </EmptyState>
  );
};

const KEYS_OF_THREAD = [
  "r: Reply in a conversation",
  "n: Write a note",
  "e: Mark done",
  "a: Assign",
  "z: Snooze",
  "#: Label",
].join("; ");

export const ListPane: FC<{ list: ConversationList; members: MemberRecord[]; selected: string | null }> = ({
  list,
  members,
  selected,
}) => (
  <section
    class="pane inbox-list"
    aria-label="Conversations"
    data-further-keys={selected === null ? KEYS_OF_THREAD : undefined}
  >
    {selected === null ? <h1 class="pane-name">Inbox</h1> : <h2 class="pane-name">Inbox</h2>}
    <AlertSettings />
    <BulkBar status={list.query.status} members={members} />
    <InboxFilters query={list.query} />
    <div id="conversations" data-changes-with="conversation contact" {...(selected === null && { "data-poll": "5" })}>
      {list.conversations.length === 0 ? (
        <NoConversations list={list} />
      ) : (
        <ul class="conversations" data-rows>
          {list.conversations.map((conversation) => (
            <ConversationLink
              conversation={conversation}
              list={list}
              members={members}
              selected={conversation.id === selected}
            />
          ))}
        </ul>
      )}
      <Pager next={list.next} />
    </div>
  </section>
);
