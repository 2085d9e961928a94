import { updateConversationBody } from "../../../features/conversations/conversations.schemas.ts";
import { setConversationStatus } from "../../../features/conversations/conversations.service.ts";
import { replyBody, replyWithTemplateBody } from "../../../features/messages/messages.schemas.ts";
import { openThread } from "../../../features/messages/open-thread.ts";
import { replyInConversation } from "../../../features/messages/send/send-message.ts";
import { replyWithTemplate } from "../../../features/messages/send/send-template.ts";
import { AppError, invalid } from "../../../shared/errors.ts";
import { ButtonLink, PostButton } from "../../kit/actions.tsx";
import { go, show } from "../../kit/answers.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { faultList } from "../../kit/faults.ts";
import { EmptyState } from "../../kit/feedback.tsx";
import { type FormState, untouched } from "../../kit/forms.ts";
import type { WorkspaceVisit } from "../../kit/visit.ts";
import { composingOf } from "./inbox-composing.ts";
import { ListPane, nameOf, readList } from "./inbox-list.tsx";
import { inboxPath, type InboxQuery, inboxQuery, queryOf } from "./inbox-query.ts";
import { Composer } from "./inbox-reply.tsx";
import { Messages, PER_THREAD } from "./inbox-thread.tsx";

export const inboxPages = workspacePages();

inboxPages.get("/inbox", { role: "agent", query: inboxQuery }, async (visit, { query }) =>
  show({
    title: "Inbox",
    scripts: ["inbox.client.js"],
    body: (
      <>
        <ListPane list={await readList(visit, query)} selected={null} />
        <div class="thread nothing">
          <EmptyState title="No conversation is open">Choose one from the list to read and answer it.</EmptyState>
        </div>
      </>
    ),
  }),
);

async function threadPage(visit: WorkspaceVisit, id: string, query: InboxQuery, form: FormState = untouched) {
  const thread = await openThread(visit.ctx, id, PER_THREAD, query.before?.[0]);
  const [list, composing] = await Promise.all([readList(visit, query), composingOf(visit, thread, query, form)]);
  const { conversation } = thread;
  const { contact_id, contact_phone, contact_name, connection_id, status } = conversation;
  const about = [contact_name === null ? null : contact_phone, list.connections.get(connection_id)];
  return show({
    title: nameOf(conversation),
    scripts: ["inbox.client.js"],
    actions: (
      <>
        <span class="back">
          <ButtonLink href={inboxPath(visit, null)}>Inbox</ButtonLink>
        </span>
        <ButtonLink href={visit.path(`/contacts/${contact_id}`)}>Contact</ButtonLink>
        <PostButton
          action={inboxPath(visit, `${id}/status`)}
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
          <Messages thread={thread} isLatest={composing.isLatest} />
          <p id="new-message" class="unseen" role="status"></p>
          <Composer thread={thread} composing={composing} />
        </div>
        <ListPane list={list} selected={id} />
      </>
    ),
  });
}

const again = (visit: WorkspaceVisit, { id }: { id: string }, form: FormState) =>
  threadPage(visit, id, queryOf(visit), form);

inboxPages.get("/inbox/:id", { role: "agent", query: inboxQuery }, (visit, { params, query }) =>
  threadPage(visit, params.id, query),
);

inboxPages.post(
  "/inbox/:id",
  { role: "agent", body: replyBody, form: "reply", again },
  async (visit, { params, body }) => {
    await replyInConversation(visit.ctx, params.id, body);
    return go(inboxPath(visit, params.id));
  },
);

inboxPages.post(
  "/inbox/:id/template",
  { role: "agent", body: replyWithTemplateBody, form: "template", again },
  async (visit, { params, body }) => {
    await replyWithTemplate(visit.ctx, params.id, body).catch((error: unknown) => {
      const isIncomplete = error instanceof AppError && error.code === "missing_variable";
      throw isIncomplete ? invalid(faultList(error)) : error;
    });
    return go(inboxPath(visit, params.id));
  },
);

inboxPages.post(
  "/inbox/:id/status",
  { role: "agent", body: updateConversationBody },
  async (visit, { params, body: { status } }) => {
    const conversation = await setConversationStatus(visit.ctx, params.id, status);
    const name = nameOf(conversation);
    return go(
      inboxPath(visit, params.id),
      status === "done" ? `The conversation with ${name} is done.` : `The conversation with ${name} is open again.`,
    );
  },
);
