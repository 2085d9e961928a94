import * as z from "zod";
import { presentContact } from "../../../features/contacts/contacts.schemas.ts";
import { startConversation } from "../../../features/conversations/start-conversation.ts";
import { replyBody } from "../../../features/messages/input/message-input.schemas.ts";
import { sendMessage } from "../../../features/messages/send/send-message.ts";
import { getContactProfile } from "../../../features/profiles/contact-profile.ts";
import { sendingThrough } from "../../../shared/context.ts";
import { MAX_MESSAGE_CHARACTERS } from "../../../shared/text/text.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { workspacePages } from "../../kit/audiences.ts";
import { EmptyState } from "../../kit/feedback.tsx";
import { Form, SelectField, Submit, TextArea } from "../../kit/forms/form-fields.tsx";
import { parseInput } from "../../kit/forms/forms.ts";
import { redirectTo } from "../../kit/results.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { Page } from "../../kit/page/page.tsx";
import { contactName } from "./contact-parts.tsx";

export const contactConversationPages = workspacePages();

async function conversationPage({ ctx, path }: WorkspaceRequest, { id }: { id: string }) {
  const { contact, layout, connections, conversations } = await getContactProfile(ctx, id);
  const existing = new Map(conversations.map((each) => [each.connection_id, each.id]));
  const names = new Map(connections.map((each) => [each.id, each.name]));
  const at = path(`/contacts/${id}`);
  return (
    <Page title={`Message ${contactName(presentContact(contact, layout))}`}>
      {connections.length === 0 ? (
        <EmptyState title="No connection yet">Connect a provider to send messages.</EmptyState>
      ) : (
        <>
          {Array.from(existing, ([connectionId, conversationId]) => (
            <p>
              <a href={path(`/inbox/${conversationId}`)}>
                Open conversation on {names.get(connectionId) ?? "a deleted connection"}
              </a>
            </p>
          ))}
          <Form action={`${at}/conversation`} class="narrow">
            <SelectField
              name="connection_id"
              label="Connection"
              help="The connection to send from."
              required
              value={conversations[0]?.connection_id ?? connections[0]?.id}
              options={connections.map((each) => ({ value: each.id, label: each.name }))}
            />
            <TextArea
              name="text"
              label="Message"
              required
              rows={4}
              maxlength={MAX_MESSAGE_CHARACTERS}
              help="To send a template, a file or a note, open the conversation first."
            />
            <div class="actions">
              <Submit>Send</Submit>
              <button type="submit" class="plain" name="open" value="yes" formnovalidate>
                Open conversation
              </button>
              <ButtonLink href={at}>Cancel</ButtonLink>
            </div>
          </Form>
        </>
      )}
    </Page>
  );
}

contactConversationPages.form(
  "/contacts/:id/conversation",
  {
    role: "agent",
    body: z.object({ connection_id: z.string(), text: z.string().optional(), open: z.literal("yes").optional() }),
    page: conversationPage,
  },
  async (request, { params, body: { connection_id: connectionId, text, open } }) => {
    const ctx = sendingThrough(request.ctx, connectionId);
    const toConversation = (id: string) => redirectTo(request.path(`/inbox/${id}`));
    if (open !== undefined) return toConversation((await startConversation(ctx, params.id)).conversation.id);
    const message = parseInput(replyBody, { text });
    return toConversation((await sendMessage(ctx, { contact_id: params.id }, message)).conversation_id);
  },
);
