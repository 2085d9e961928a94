// The menu of a message: one for the page, which a script opens at the message. Without scripts, its details have all of it.
import type { FC } from "hono/jsx";
import { Form } from "../../kit/form-fields.tsx";
import { useWorkspaceRequest } from "../../kit/request.ts";
import { EmojiButtons } from "../messages/emoji.tsx";
import { inboxPath } from "./inbox-query.ts";

export const MessageMenu: FC<{ conversationId: string }> = ({ conversationId }) => {
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
        Details and other reactions
      </a>
    </div>
  );
};
