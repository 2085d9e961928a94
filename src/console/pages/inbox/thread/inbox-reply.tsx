import { MAX_MESSAGE_CHARACTERS } from "../../../../shared/text/text.ts";
import type { FC } from "hono/jsx";
import { MINUTE_MS } from "../../../../shared/time/durations.ts";
import type { Thread } from "../../../../features/messages/history/open-thread.ts";
import { ButtonLink } from "../../../kit/actions.tsx";
import { Banner } from "../../../kit/feedback.tsx";
import { FileField } from "../../../kit/forms/file-field.tsx";
import { Form, Submit, TextArea } from "../../../kit/forms/form-fields.tsx";
import { useFormState } from "../../../kit/forms/forms.ts";
import { Icon } from "../../../kit/icon.tsx";
import { useWorkspaceRequest } from "../../../kit/request.ts";
import { TimeField } from "../../../kit/forms/time-field.tsx";
import type { ComposerState } from "./inbox-composer.ts";
import { conversationTitle } from "../list/inbox-list.tsx";
import { CannedReplyChoice, ComposerTabs, NoteForm } from "./inbox-note-form.tsx";
import { readListFilters, inboxPath } from "../list/inbox-query.ts";
import { TemplateForm } from "./inbox-template.tsx";
import { usePathTo } from "../../../kit/page/optional-link.tsx";

const PARTS = "thread conversations window reply";

const QuotedMessage: FC<{ quoted: ComposerState["quoted"]; conversationId: string }> = ({ quoted, conversationId }) => {
  const request = useWorkspaceRequest();
  return (
    <div id="quote">
      {quoted !== null && (
        <div class="quote">
          <input type="hidden" name="reply_to" value={quoted.id} />
          <strong>Reply to {quoted.who}</strong>
          <span class="quoted-text">{quoted.text}</span>
          <a class="quote-remove" href={inboxPath(request, conversationId)} data-swap="quote">
            Remove<span class="unseen"> quote</span>
          </a>
        </div>
      )}
    </div>
  );
};

interface ReplyFormProps {
  conversationId: string;
  composing: ComposerState;
  action(below: string): string;
  swap?: string;
}

const SendLater: FC<{}> = () => {
  const state = useFormState();
  const isTouched =
    (state.values.get("send_at")?.[0] ?? "") !== "" || state.faults.some(({ path }) => path === "send_at");
  return (
    <details class="more send-later" open={isTouched}>
      <summary>Send later</summary>
      <TimeField
        name="send_at"
        label="Send at"
        help="Until then the message waits in the conversation. You can cancel it there."
        required={false}
      />
    </details>
  );
};

const ReplyForm: FC<ReplyFormProps> = ({ conversationId, composing, action, ...rest }) => {
  const request = useWorkspaceRequest();
  const { quoted, attached } = composing;
  return (
    <Form action={action("")} name="reply" class="reply-form" {...rest}>
      <QuotedMessage quoted={quoted} conversationId={conversationId} />
      <div
        data-suggest="/"
        data-source={request.path(`/inbox/${conversationId}/canned-replies`)}
        data-further-keys="Ctrl Enter: Send"
      >
        <TextArea
          name="text"
          label="Reply"
          shortcut="r"
          help={
            <>
              <span class="needs-script">
                Ctrl + Enter sends, / inserts a canned reply. Drop or paste a file to attach it.
              </span>{" "}
              <a href={request.path("/settings/canned-replies")}>Manage canned replies</a>
            </>
          }
          required={attached === null}
          rows={2}
          limit={MAX_MESSAGE_CHARACTERS}
          value={composing.begin}
        />
      </div>
      <SendLater />
      <div class="reply-actions">
        <Submit>Send</Submit>
        <FileField name="media_id" label="Attach a file" file={attached} isButton dropOn="thread-pane" />
        <a class="scriptless" href={inboxPath(request, conversationId, { compose: "canned" })}>
          Canned replies
        </a>
      </div>
    </Form>
  );
};

function formatDuration(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`;
}

/**
 * Explains until when free text can be sent, with links to the forms for templates and free text. CSS hides the
 * link to the form that is already open.
 */
const WindowNotice: FC<{ thread: Thread }> = ({ thread: { conversation, refusal, textUntil } }) => {
  const request = useWorkspaceRequest();
  const name = conversationTitle(conversation);
  const isClosed = refusal?.code === "window_closed";
  const where = conversation.contact_phone === null ? "here" : "from this number";
  const why =
    textUntil === null
      ? `${name} has not written ${where} yet`
      : `More than 24 hours have passed since ${name} last wrote`;
  const isOpen = refusal === null;
  return (
    <p id="window" class="help">
      {isClosed && `${why}, so you can only send an approved template. `}
      {isOpen &&
        textUntil !== null &&
        `${formatDuration(textUntil - request.ctx.now())} left to reply with free text. `}
      {(isClosed || isOpen) && (
        <a class="to-template" href={inboxPath(request, conversation.id, { compose: "template" })}>
          Send a template
        </a>
      )}{" "}
      {isOpen && (
        <a class="to-text" href={inboxPath(request, conversation.id)}>
          Write a message
        </a>
      )}
    </p>
  );
};

const ReplyRefused: FC<{ code: string; message: string }> = ({ code, message }) => {
  const connections = usePathTo()("/settings/connections");
  return (
    <Banner kind="warning">
      <p>
        {message}{" "}
        {code === "unsubscribed" && "You can reply when they write again. They can resubscribe by sending START."}
      </p>
      {code === "invalid_state" && connections !== null && (
        <ButtonLink href={connections}>Go to Connections</ButtonLink>
      )}
    </Banner>
  );
};

export const Composer: FC<{ thread: Thread; composing: ComposerState }> = ({ thread, composing }) => {
  const request = useWorkspaceRequest();
  const { conversation, refusal } = thread;
  const { isNoting, isLatest, templates, canned } = composing;
  const swap = isLatest ? { swap: PARTS } : {};
  const filters = new URLSearchParams(readListFilters(request)).toString();
  const action = (below: string) =>
    request.path(`/inbox/${conversation.id}${below}`) + (filters === "" ? "" : `?${filters}`);
  const parts = { conversationId: conversation.id, composing, action };
  return (
    <div class="composer">
      <button type="button" class="plain to-newest" id="to-newest" hidden>
        New message <Icon name="chevron-down" size="small" />
      </button>
      <div class="composer-scroll">
        <WindowNotice thread={thread} />
        <div id="reply">
          <ComposerTabs conversationId={conversation.id} isNote={isNoting} />
          {canned !== null && <CannedReplyChoice conversationId={conversation.id} replies={canned} />}
          {isNoting ? (
            <NoteForm action={action("/note")} members={request.path(`/inbox/${conversation.id}/members`)} {...swap} />
          ) : templates !== null ? (
            <TemplateForm
              conversation={conversation}
              composing={{ ...composing, templates }}
              action={action("/template")}
              {...swap}
            />
          ) : refusal !== null ? (
            <ReplyRefused code={refusal.code} message={refusal.message} />
          ) : (
            <ReplyForm {...parts} {...swap} />
          )}
        </div>
      </div>
    </div>
  );
};
