import { listMembers } from "../../../features/members/members.service.ts";
import { openConversation } from "../../../features/profiles/contact-profile.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { EmptyState } from "../../kit/feedback.tsx";
import { showOrLeadOn } from "../../kit/page/record-pages.tsx";
import { type WorkspaceRequest, useWorkspaceRequest } from "../../kit/request.ts";
import { Page } from "../../kit/page/page.tsx";
import { loadMessageParts } from "../messages/message-files.tsx";
import { loadComposer } from "./thread/inbox-composer.ts";
import { ListPane, conversationAddress, conversationTitle, loadConversationList } from "./list/inbox-list.tsx";
import { ThreadHead, PersonPane } from "./inbox-panes.tsx";
import { type InboxQuery, inboxQuery, readInboxQuery, inboxPath } from "./list/inbox-query.ts";
import { Composer } from "./thread/inbox-reply.tsx";
import { TeamActs, ThreadMarks } from "./inbox-team.tsx";
import { ThreadMessages, MESSAGES_PER_PAGE } from "./thread/inbox-thread.tsx";
import type { FC } from "hono/jsx";
import { Form } from "../../kit/forms/form-fields.tsx";
import { EmojiButtons } from "../messages/message-bubble.tsx";

/**
 * One menu serves all messages: a script moves it to the message that the user chose. Without scripts, the page
 * of each message has the same actions.
 */
const MessageMenu: FC<{ conversationId: string }> = ({ conversationId }) => {
  const request = useWorkspaceRequest();
  return (
    <div id="message-menu" class="message-menu" role="group" aria-label="Message options" {...{ popover: "auto" }}>
      <Form action={inboxPath(request, `${conversationId}/react`)} swap="thread conversations">
        <input type="hidden" name="message_id" value="" />
        <EmojiButtons />
      </Form>
      <a data-option="reply" href={inboxPath(request, conversationId)}>
        Reply
      </a>
      <a data-option="details" href={inboxPath(request, conversationId)}>
        Details and more reactions
      </a>
    </div>
  );
};

const MAX_ASSIGNABLE = 100;

export const inboxPages = workspacePages();

inboxPages.get("/inbox", { role: "agent", query: inboxQuery }, async (request, { query }) => {
  const [list, members] = await Promise.all([
    loadConversationList(request, query),
    listMembers(request.ctx, MAX_ASSIGNABLE),
  ]);
  return (
    <Page title="Inbox" scripts={["inbox/inbox.client.js"]} pane="list">
      <ListPane list={list} members={members} selected={null} />
      <div class="pane thread nothing">
        <EmptyState title="No conversation selected" icon="message-square">
          Select a conversation to read and reply.
        </EmptyState>
      </div>
    </Page>
  );
});

type Pane = "thread" | "person";

async function threadPage(request: WorkspaceRequest, id: string, query: InboxQuery, pane: Pane) {
  const opening = openConversation(request.ctx, id, { limit: MESSAGES_PER_PAGE, before: query.before?.[0] });
  const connections = opening.then(({ profile: { connections: known } }) => known);
  const [{ thread, profile }, list, members] = await Promise.all([
    opening,
    loadConversationList(request, query, connections),
    listMembers(request.ctx, MAX_ASSIGNABLE),
  ]);
  const [composing, parts] = await Promise.all([
    loadComposer(request, thread, query),
    loadMessageParts(request.ctx, thread.messages),
  ]);
  const { conversation } = thread;
  const { contact_name, connection_id } = conversation;
  const about = [contact_name === null ? null : conversationAddress(conversation), list.connections.get(connection_id)];
  return (
    <Page
      title={conversationTitle(conversation)}
      scripts={[
        "inbox/inbox.client.js",
        "inbox/drafts.client.js",
        "inbox/presence.client.js",
        "inbox/send.client.js",
        "inbox/message-menu.client.js",
        "pages/preview.client.js",
        "inbox/reply-field.client.js",
        "times.client.js",
        "pages/upload.client.js",
      ]}
      pane={pane}
    >
      <ListPane list={list} members={members} selected={id} />
      <div class="pane thread" id="thread-pane">
        <ThreadHead
          conversationId={id}
          title={conversationTitle(conversation)}
          heading={pane === "person" ? "h2" : "h1"}
          about={about.filter((each) => each !== null && each !== undefined).join(" · ")}
          marks={<ThreadMarks conversation={conversation} />}
          acts={<TeamActs conversation={conversation} members={members} />}
        />
        <ThreadMessages thread={thread} parts={parts} members={members} isLatest={composing.isLatest} />
        <p id="new-message" class="unseen" role="status"></p>
        <Composer thread={thread} composing={composing} />
      </div>
      {(request.personPane === "shown" || pane === "person") && (
        <PersonPane profile={profile} members={members} conversationId={id} heading={pane === "person" ? "h1" : "h2"} />
      )}
      <MessageMenu conversationId={id} />
    </Page>
  );
}

inboxPages.get("/inbox/unread", { role: "agent" }, () => <Page title="Inbox" />);

export const showThreadAgain = (request: WorkspaceRequest, { id }: { id: string }) =>
  threadPage(request, id, readInboxQuery(request), "thread");

const openThread = (request: WorkspaceRequest, id: string, query: InboxQuery, pane: Pane) =>
  showOrLeadOn(() => threadPage(request, id, query, pane), {
    id,
    title: "Merged conversation",
    text: "Its messages and your drafts moved to the remaining conversation.",
    label: "Open conversation",
    hrefOf: (into) => request.path(`/inbox/${into}`),
    scripts: ["merged.client.js"],
  });

inboxPages.get("/inbox/:id", { role: "agent", query: inboxQuery }, (request, { params, query }) =>
  openThread(request, params.id, query, "thread"),
);

inboxPages.get("/inbox/:id/person", { role: "agent", query: inboxQuery }, (request, { params, query }) =>
  openThread(request, params.id, query, "person"),
);
