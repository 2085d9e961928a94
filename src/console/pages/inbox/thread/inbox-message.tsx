import type { FC } from "hono/jsx";
import { presentMessage } from "../../../../features/messages/messages.views.ts";
import { getMessage } from "../../../../features/messages/messages.service.ts";
import { toThreadMessage } from "../../../../features/messages/history/open-thread.ts";
import { notFound } from "../../../../shared/errors.ts";
import { ButtonLink } from "../../../kit/actions.tsx";
import { Facts, LocalTime, Section, type Fact } from "../../../kit/feedback.tsx";
import { Form, Submit, TextField } from "../../../kit/forms/form-fields.tsx";
import { formatValue, toLabel } from "../../../kit/format.ts";
import { workspacePages } from "../../../kit/audiences.ts";
import { useWorkspaceRequest } from "../../../kit/request.ts";
import { OutsideLink } from "../../../kit/safe-link.tsx";
import { Page } from "../../../kit/page/page.tsx";
import { EmojiButtons, MessageBubble, deliveryWord, describeDelivery } from "../../messages/message-bubble.tsx";
import { findAuthor } from "../../messages/conversation-parts.tsx";
import { loadMessageParts } from "../../messages/message-files.tsx";
import { inboxPath, messagePath } from "../list/inbox-query.ts";
import { ScheduledFor } from "./inbox-thread.tsx";

export const inboxMessagePages = workspacePages();

const kindNames: Record<string, string> = {
  template: "Template",
  button_reply: "Button reply",
  list_reply: "List reply",
  form_reply: "Completed form",
  interactive: "Message with choices",
  contacts: "Contact cards",
  unsupported: "Not supported",
};

type MessageView = ReturnType<typeof presentMessage>;

const time = (at: string | null) => (at === null ? null : <LocalTime at={Date.parse(at)} />);

function describeCost({ cost }: MessageView): string | null {
  if (cost === null) return null;
  const { billable, category, type } = cost;
  const known = [category, type].flatMap((word) => (word === null ? [] : toLabel(word)));
  return [billable === null ? null : billable ? "Charged for" : "Free", ...known]
    .filter((part) => part !== null)
    .join(" · ");
}

const Ids: FC<{ message: MessageView }> = ({ message }) => (
  <Section title="IDs">
    <Facts
      facts={[
        ["Message", <code>{message.id}</code>],
        ["Provider ID", message.provider_message_id],
        ["Replies to (provider ID)", message.reply_to_provider_id],
        ["To", message.from_contact ? null : (message.to ?? "Someone without a number")],
        ["Campaign", message.campaign_id],
        ["Template", message.template_id],
        ...Object.entries(message.metadata ?? {}).map(([name, value]): Fact => [name, value]),
      ]}
    />
  </Section>
);

const Referral: FC<{ referral: NonNullable<MessageView["referral"]> }> = ({ referral }) => (
  <Section title="Came from">
    <Facts
      facts={Object.entries(referral).map(([name, value]): Fact => [
        toLabel(name),
        <OutsideLink href={formatValue(value)}>{formatValue(value)}</OutsideLink>,
      ])}
    />
  </Section>
);

const Versions: FC<{ message: MessageView }> = ({ message: { versions } }) =>
  versions.length === 0 ? null : (
    <Section title="Earlier versions">
      <ol class="versions">
        {versions.map(({ body, written_at }) => (
          <li>
            <p class="said">{body}</p>
            <p class="help">
              <LocalTime at={Date.parse(written_at)} />
            </p>
          </li>
        ))}
      </ol>
    </Section>
  );

const React: FC<{ message: MessageView; conversationId: string }> = ({ message, conversationId }) => {
  const request = useWorkspaceRequest();
  const own = message.reactions.find(({ from_contact }) => !from_contact)?.emoji ?? "";
  const action = inboxPath(request, `${conversationId}/react`);
  const Target = () => <input type="hidden" name="message_id" value={message.id} />;
  return (
    <Section title="React">
      <Form action={action}>
        <Target />
        <EmojiButtons own={own} />
      </Form>
      <Form action={action} class="row">
        <Target />
        <TextField name="emoji" label="More emoji" maxlength={20} required />
        <Submit kind="plain">React</Submit>
      </Form>
      {own !== "" && (
        <Form action={action} class="inline">
          <Target />
          <Submit kind="plain">Remove reaction {own}</Submit>
        </Form>
      )}
    </Section>
  );
};

inboxMessagePages.get("/inbox/:id/messages/:message", { role: "agent" }, async (request, { params }) => {
  const record = await getMessage(request.ctx, params.message);
  const message = presentMessage(record);
  if (message.conversation_id !== params.id) throw notFound("message");
  const threadMessage = toThreadMessage(record);
  const [parts, author] = await Promise.all([
    loadMessageParts(request.ctx, [threadMessage]),
    findAuthor(request, threadMessage.authorId),
  ]);
  const here = messagePath(request, params.id, message.id);
  const { type, delivery, from_contact: isFromContact, error } = message;
  return (
    <Page
      title="Message"
      actions={
        <>
          <ButtonLink href={`${inboxPath(request, params.id)}#${message.id}`}>Back to conversation</ButtonLink>
          {message.revoked_at === null && (
            <ButtonLink href={inboxPath(request, params.id, { reply_to: message.id })} kind="primary">
              Reply
            </ButtonLink>
          )}
        </>
      }
    >
      <div class="readable message-details">
        <ol class="thread-messages">
          <MessageBubble
            message={threadMessage}
            components={parts.components.get(message.template_id ?? "")}
            files={parts.files}
            who="They"
            sender={author ?? "Team"}
            quoted={
              message.reply_to === null
                ? null
                : { href: messagePath(request, params.id, message.reply_to), who: "Another message", text: "" }
            }
            details={null}
          >
            <ScheduledFor message={threadMessage} cancel={`${here}/cancel`} />
          </MessageBubble>
        </ol>
        <Section title="Delivery">
          <Facts
            facts={[
              ["Kind", kindNames[type] ?? toLabel(type)],
              ["Direction", isFromContact ? "From the contact" : "To the contact"],
              ["State", isFromContact ? (delivery === "read" ? "Read" : "Received") : deliveryWord(delivery)],
              ["Sent by", author],
              ["Answered by", isFromContact && message.standby ? "The provider's agent" : null],
              ["Reason", describeDelivery(threadMessage)],
              ["Error", error?.code],
              ["Provider code", error?.provider_code],
              [isFromContact ? "Received" : "Written", time(message.created_at)],
              ["To be sent", time(message.send_at)],
              ["Sent", time(message.sent_at)],
              ["Delivered", time(message.delivered_at)],
              ["Read", time(message.read_at)],
              ["Failed", time(message.failed_at)],
              ["Edited", time(message.edited_at)],
              ["Deleted", time(message.revoked_at)],
              ["Cost", describeCost(message) || null],
            ]}
          />
        </Section>
        {message.revoked_at === null && <React message={message} conversationId={params.id} />}
        <Ids message={message} />
        {message.referral !== null && <Referral referral={message.referral} />}
        <Versions message={message} />
      </div>
    </Page>
  );
});
