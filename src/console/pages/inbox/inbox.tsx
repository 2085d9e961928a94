import { openThread } from "../../../features/messages/open-thread.ts";
import { ButtonLink, PostButton } from "../../kit/actions.tsx";
import { showPage } from "../../kit/results.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { EmptyState } from "../../kit/feedback.tsx";
import { type FormState, unsentForm } from "../../kit/forms.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { loadMessageParts } from "../messages/message-parts.ts";
import { loadComposer } from "./inbox-composer.ts";
import { ListPane, conversationAddress, conversationTitle, loadConversationList } from "./inbox-list.tsx";
import { MessageMenu } from "./inbox-menu.tsx";
import { inboxPath, type InboxQuery, inboxQuery, readInboxQuery } from "./inbox-query.ts";
import { Composer } from "./inbox-reply.tsx";
import { ThreadMessages, MESSAGES_PER_PAGE } from "./inbox-thread.tsx";

export const inboxPages = workspacePages();

inboxPages.get("/inbox", { role: "agent", query: inboxQuery }, async (request, { query }) =>
  showPage({
    title: "Inbox",
    scripts: ["inbox.client.js"],
    body: (
      <>
        <ListPane list={await loadConversationList(request, query)} selected={null} />
        <div class="thread nothing">
          <EmptyState title="No conversation is open">Choose one from the list to read and answer it.</EmptyState>
        </div>
      </>
    ),
  }),
);

async function threadPage(request: WorkspaceRequest, id: string, query: InboxQuery, form: FormState = unsentForm) {
  const thread = await openThread(request.ctx, id, MESSAGES_PER_PAGE, query.before?.[0]);
  const [list, composing, parts] = await Promise.all([
    loadConversationList(request, query),
    loadComposer(request, thread, query, form),
    loadMessageParts(request.ctx, thread.messages),
  ]);
  const { conversation } = thread;
  const { contact_id, contact_name, connection_id, status } = conversation;
  const about = [contact_name === null ? null : conversationAddress(conversation), list.connections.get(connection_id)];
  return showPage({
    title: conversationTitle(conversation),
    scripts: ["inbox.client.js", "message-menu.client.js", "preview.client.js", "times.client.js", "upload.client.js"],
    actions: (
      <>
        <span class="back">
          <ButtonLink href={inboxPath(request, null)}>Inbox</ButtonLink>
        </span>
        <ButtonLink href={request.path(`/contacts/${contact_id}`)}>Contact</ButtonLink>
        <PostButton
          action={inboxPath(request, `${id}/status`)}
          fields={{ status: status === "open" ? "done" : "open" }}
          kind={status === "open" ? "primary" : "plain"}
        >
          {status === "open" ? "Mark done" : "Reopen"}
        </PostButton>
      </>
    ),
    body: (
      <>
        <div class="thread" id="thread-pane">
          <p class="help about">{about.filter((each) => each !== null && each !== undefined).join(" · ")}</p>
          <ThreadMessages thread={thread} parts={parts} isLatest={composing.isLatest} />
          <p id="new-message" class="unseen" role="status"></p>
          <Composer thread={thread} composing={composing} />
        </div>
        <ListPane list={list} selected={id} />
        <MessageMenu conversationId={id} />
      </>
    ),
  });
}

/** Shows the thread again after a form that was refused. */
export const showThreadAgain = (request: WorkspaceRequest, { id }: { id: string }, form: FormState) =>
  threadPage(request, id, readInboxQuery(request), form);

inboxPages.get("/inbox/:id", { role: "agent", query: inboxQuery }, (request, { params, query }) =>
  threadPage(request, params.id, query),
);
