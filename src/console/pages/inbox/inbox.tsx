import { updateConversationBody } from "../../../features/conversations/conversations.schemas.ts";
import { setConversationStatus } from "../../../features/conversations/conversations.service.ts";
import { replyBody, replyWithTemplateBody } from "../../../features/messages/messages.schemas.ts";
import { openThread } from "../../../features/messages/open-thread.ts";
import { replyInConversation } from "../../../features/messages/send/send-message.ts";
import { replyWithTemplate } from "../../../features/messages/send/send-template.ts";
import { AppError, invalid } from "../../../shared/errors.ts";
import { ButtonLink, PostButton } from "../../kit/actions.tsx";
import { redirectTo, showPage } from "../../kit/results.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { readFaults } from "../../kit/faults.ts";
import { EmptyState } from "../../kit/feedback.tsx";
import { type FormState, unsentForm } from "../../kit/forms.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { loadComposer } from "./inbox-composer.ts";
import { ListPane, conversationTitle, loadConversationList } from "./inbox-list.tsx";
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
  const [list, composing] = await Promise.all([
    loadConversationList(request, query),
    loadComposer(request, thread, query, form),
  ]);
  const { conversation } = thread;
  const { contact_id, contact_phone, contact_name, connection_id, status } = conversation;
  const about = [contact_name === null ? null : contact_phone, list.connections.get(connection_id)];
  return showPage({
    title: conversationTitle(conversation),
    scripts: ["inbox.client.js"],
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
        <div class="thread">
          <p class="help about">{about.filter((each) => each !== null && each !== undefined).join(" · ")}</p>
          <ThreadMessages thread={thread} isLatest={composing.isLatest} />
          <p id="new-message" class="unseen" role="status"></p>
          <Composer thread={thread} composing={composing} />
        </div>
        <ListPane list={list} selected={id} />
      </>
    ),
  });
}

const onInvalid = (request: WorkspaceRequest, { id }: { id: string }, form: FormState) =>
  threadPage(request, id, readInboxQuery(request), form);

inboxPages.get("/inbox/:id", { role: "agent", query: inboxQuery }, (request, { params, query }) =>
  threadPage(request, params.id, query),
);

inboxPages.post(
  "/inbox/:id",
  { role: "agent", body: replyBody, form: "reply", onInvalid },
  async (request, { params, body }) => {
    await replyInConversation(request.ctx, params.id, body);
    return redirectTo(inboxPath(request, params.id));
  },
);

inboxPages.post(
  "/inbox/:id/template",
  { role: "agent", body: replyWithTemplateBody, form: "template", onInvalid },
  async (request, { params, body }) => {
    await replyWithTemplate(request.ctx, params.id, body).catch((error: unknown) => {
      const isIncomplete = error instanceof AppError && error.code === "missing_variable";
      throw isIncomplete ? invalid(readFaults(error)) : error;
    });
    return redirectTo(inboxPath(request, params.id));
  },
);

inboxPages.post(
  "/inbox/:id/status",
  { role: "agent", body: updateConversationBody },
  async (request, { params, body: { status } }) => {
    const conversation = await setConversationStatus(request.ctx, params.id, status);
    const name = conversationTitle(conversation);
    return redirectTo(
      inboxPath(request, params.id),
      status === "done" ? `The conversation with ${name} is done.` : `The conversation with ${name} is open again.`,
    );
  },
);
