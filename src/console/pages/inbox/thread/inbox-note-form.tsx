import type { FC } from "hono/jsx";
import { MAX_MESSAGE_CHARACTERS } from "../../../../shared/text/text.ts";
import { Form, Submit, TextArea } from "../../../kit/forms/form-fields.tsx";
import { useWorkspaceRequest } from "../../../kit/request.ts";
import type { Suggestion } from "./inbox-composer.ts";
import { inboxPath } from "../list/inbox-query.ts";
import { toLabel } from "../../../kit/format.ts";

export const ComposerTabs: FC<{ conversationId: string; isNote: boolean }> = ({ conversationId, isNote }) => {
  const request = useWorkspaceRequest();
  const tab = (kind: "reply" | "note", shortcut: string, href: string) => {
    const isCurrent = isNote === (kind === "note");
    return (
      <a
        href={href}
        aria-current={isCurrent ? "true" : undefined}
        data-swap="reply thread-acts"
        data-kind={kind}
        data-key={isCurrent ? undefined : shortcut}
        data-act={`Write a ${kind}`}
      >
        {toLabel(kind)}
      </a>
    );
  };
  return (
    <nav class="composer-tabs" aria-label="Write">
      {tab("reply", "r", inboxPath(request, conversationId))}
      {tab("note", "n", inboxPath(request, conversationId, { compose: "note" }))}
    </nav>
  );
};

export const NoteForm: FC<{ action: string; members: string; swap?: string }> = ({ action, members, ...rest }) => (
  <Form action={action} name="note" class="note-form" {...rest}>
    <div data-suggest="@" data-source={members} data-further-keys="Ctrl Enter: Add note">
      <TextArea
        name="body"
        label="Note"
        help={
          <>
            Only visible to your team.
            <span class="needs-script"> Use @ to mention a member, Ctrl + Enter to add.</span>
          </>
        }
        shortcut="n"
        required
        rows={2}
        limit={MAX_MESSAGE_CHARACTERS}
      />
    </div>
    <Submit>Add note</Submit>
  </Form>
);

export const CannedReplyChoice: FC<{ conversationId: string; replies: readonly Suggestion[] }> = ({
  conversationId,
  replies,
}) => {
  const request = useWorkspaceRequest();
  return (
    <form method="get" action={inboxPath(request, conversationId)} class="row tight scriptless">
      <label for="canned">Canned reply</label>
      <select id="canned" name="canned">
        {replies.map(({ id, name }) => (
          <option value={id}>/{name}</option>
        ))}
      </select>
      <button type="submit" name="compose" value="canned" class="plain">
        Insert
      </button>
    </form>
  );
};
