// A new conversation with a contact, on a connection that the member chooses.
import * as z from "zod";
import { listConnections } from "../../../features/connections/connections.service.ts";
import { presentContact } from "../../../features/contacts/contacts.schemas.ts";
import { getContact } from "../../../features/contacts/contacts.service.ts";
import { startConversation } from "../../../features/conversations/start-conversation.ts";
import { sendingThrough } from "../../../shared/context.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { workspacePages } from "../../kit/audiences.ts";
import { EmptyState } from "../../kit/feedback.tsx";
import { Form, SelectField, Submit } from "../../kit/form-fields.tsx";
import { type FormState, unsentForm } from "../../kit/forms.ts";
import { redirectTo, showPage } from "../../kit/results.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { contactName } from "./contact-parts.tsx";

export const contactConversationPages = workspacePages();

const MAX_LISTED = 100;

async function conversationPage({ ctx, path }: WorkspaceRequest, id: string, state: FormState = unsentForm) {
  const [{ contact, layout }, connections] = await Promise.all([
    getContact(ctx, id),
    listConnections(ctx, MAX_LISTED, undefined),
  ]);
  const options = connections.map((connection) => ({ value: connection.id, label: connection.name }));
  const at = path(`/contacts/${id}`);
  return showPage({
    title: `Write to ${contactName(presentContact(contact, layout))}`,
    body:
      options.length === 0 ? (
        <EmptyState title="No connection yet">Messages are sent through a connection to a provider.</EmptyState>
      ) : (
        <Form action={`${at}/conversation`} state={state} class="narrow">
          <SelectField
            name="connection_id"
            label="Connection"
            help="The account that the message is sent from. A conversation that there is already is opened."
            required
            state={state}
            value={options[0]?.value}
            options={options}
          />
          <div class="actions">
            <Submit>Open the conversation</Submit>
            <ButtonLink href={at}>Cancel</ButtonLink>
          </div>
        </Form>
      ),
  });
}

contactConversationPages.get("/contacts/:id/conversation", { role: "agent" }, (request, { params }) =>
  conversationPage(request, params.id),
);

contactConversationPages.post(
  "/contacts/:id/conversation",
  {
    role: "agent",
    body: z.object({ connection_id: z.string() }),
    onInvalid: (request, { id }, form) => conversationPage(request, id, form),
  },
  async ({ ctx, path }, { params, body }) => {
    const { conversation } = await startConversation(sendingThrough(ctx, body.connection_id), params.id);
    return redirectTo(path(`/inbox/${conversation.id}`));
  },
);
