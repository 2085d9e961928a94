import { getContact } from "../../../../features/contacts/contacts.service.ts";
import { contactValues } from "../../../../features/contacts/contacts.values.ts";
import { getConversation } from "../../../../features/conversations/conversations.service.ts";
import { replyWithTemplateBody } from "../../../../features/messages/messages.schemas.ts";
import { replyWithTemplate } from "../../../../features/messages/send/send-template.ts";
import { getTemplate } from "../../../../features/templates/templates.service.ts";
import { AppError, invalid } from "../../../../shared/errors.ts";
import { workspacePages } from "../../../kit/audiences.ts";
import { readFaults } from "../../../kit/forms/faults.ts";
import { formBody } from "../../../kit/forms/form-body.ts";
import { unparsedForm } from "../../../kit/forms/forms.ts";
import { redirectTo } from "../../../kit/results.ts";
import { Page } from "../../../kit/page/page.tsx";
import { BubblePreview } from "../../messages/template/template-bubble.tsx";
import { loadFiles, takesFiles, withCheckedFiles } from "../../messages/template/template-files.ts";
import { atValueFields, readTemplateValues } from "../../messages/template/template-values.ts";
import { showThreadAgain } from "../inbox.tsx";
import { inboxPath } from "../list/inbox-query.ts";

export const inboxTemplatePages = workspacePages();

inboxTemplatePages.post(
  "/inbox/:id/template",
  {
    role: "agent",
    body: replyWithTemplateBody,
    read: (form) => ({ ...formBody(replyWithTemplateBody, form), ...readTemplateValues(form) }),
    onInvalid: showThreadAgain,
  },
  async (request, { params: { id }, body }) => {
    const reply = await withCheckedFiles(request.ctx, body.template_id, body);
    await atValueFields(reply, replyWithTemplate(request.ctx, id, reply)).catch((error: unknown) => {
      const isIncomplete = error instanceof AppError && error.code === "missing_variable";
      throw isIncomplete ? invalid(readFaults(error)) : error;
    });
    return redirectTo(inboxPath(request, id));
  },
);

/** Previews an incomplete template. */
inboxTemplatePages.post(
  "/inbox/:id/template/preview",
  { role: "agent", ...unparsedForm },
  async ({ ctx }, { params: { id }, body: { values } }) => {
    const template = await getTemplate(ctx, values.get("template_id")?.[0] ?? "");
    const { contact_id: contactId } = await getConversation(ctx, id);
    const [{ contact, layout }, files] = await Promise.all([
      getContact(ctx, contactId),
      loadFiles(ctx, values, takesFiles(template)),
    ]);
    const own = contactValues(contact, layout);
    return (
      <Page title={template.name}>
        <BubblePreview template={template} values={values} own={own} files={files} />
      </Page>
    );
  },
);
