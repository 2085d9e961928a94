import * as z from "zod";
import { findMediaFiles } from "../../../../features/media/media.service.ts";
import { replyBody } from "../../../../features/messages/input/message-input.schemas.ts";
import { cancelMessage } from "../../../../features/messages/messages.service.ts";
import { replyInConversation } from "../../../../features/messages/send/send-message.ts";
import { boundedText } from "../../../../http/fields.ts";
import { AppError, invalid, type Fault } from "../../../../shared/errors.ts";
import { redirectTo, sendJson } from "../../../kit/results.ts";
import { workspacePages } from "../../../kit/audiences.ts";
import { readFaults, atFields } from "../../../kit/forms/faults.ts";
import type { ChosenFile } from "../../../kit/forms/file-field.tsx";
import { parseInput, unparsedForm } from "../../../kit/forms/forms.ts";
import type { WorkspaceRequest } from "../../../kit/request.ts";
import { fieldTime } from "../../../kit/forms/time-field.tsx";
import { showThreadAgain } from "../inbox.tsx";
import { inboxPath } from "../list/inbox-query.ts";
import type { MediaType } from "../../../../channels/content.ts";
import { refusalOfFile } from "../../../../features/media/media.kinds.ts";
import { getContact } from "../../../../features/contacts/contacts.service.ts";
import { contactValues } from "../../../../features/contacts/contacts.values.ts";
import { getConversation } from "../../../../features/conversations/conversations.service.ts";
import { replyWithTemplateBody } from "../../../../features/messages/messages.schemas.ts";
import { replyWithTemplate } from "../../../../features/messages/send/send-template.ts";
import { getTemplate } from "../../../../features/templates/templates.service.ts";
import { formBody } from "../../../kit/forms/form-body.ts";
import { Page } from "../../../kit/page/page.tsx";
import { BubblePreview } from "../../messages/template/template-bubble.tsx";
import { loadFiles, takesFiles, withCheckedFiles } from "../../messages/template/template-files.tsx";
import { atValueFields, readTemplateValues } from "../../messages/template/template-fields.tsx";
import { listMembers } from "../../../../features/members/members.service.ts";
import { addNote } from "../../../../features/messages/notes/notes.service.ts";
import { mentionsOf } from "../../../../features/messages/notes/find-mentions.ts";
import { addNoteBody } from "../../../../features/messages/notes/notes.schemas.ts";
import { loadCannedReplies } from "./inbox-composer.ts";

export const inboxActionPages = workspacePages();

/** The first kind that accepts a file is used. `sticker` is missing, because a file must never be sent as a sticker. */
const KINDS = ["image", "video", "audio", "document"] as const satisfies MediaType[];

/**
 * Finds the kind of message that accepts the file. For example, an image that is too large becomes a document.
 * Throws `validation_failed` if no kind accepts it.
 */
function kindOfFile({ mime_type, bytes }: ChosenFile): (typeof KINDS)[number] {
  const file = { mimeType: mime_type ?? "", bytes: bytes ?? 0 };
  const kind = KINDS.find((each) => refusalOfFile(each, file) === null);
  if (kind !== undefined) return kind;
  const message = "This file can't be sent: programs, web pages and files over 100 MB aren't allowed.";
  throw invalid({ path: "media_id", code: "invalid_value", message });
}

const replyForm = z.strictObject({
  text: z.string().optional(),
  media_id: boundedText(100).optional(),
  reply_to: boundedText(100).optional(),
  send_at: fieldTime.pipe(boundedText(30)).optional(),
});

function faultOfFile(kind: string, fault: Fault): Fault {
  if (fault.path === `${kind}.caption`) return { ...fault, path: "text" };
  return fault.path.startsWith(kind) ? { ...fault, path: "media_id" } : fault;
}

interface FileReply {
  file: ChosenFile;
  caption: string | undefined;
  beside: { reply_to?: string | undefined; send_at?: string | undefined };
}

async function replyWithFile(
  { ctx }: WorkspaceRequest,
  conversationId: string,
  { file, caption, beside }: FileReply,
): Promise<void> {
  const kind = kindOfFile(file);
  if (kind === "audio" && caption !== undefined) {
    const message = "Audio can't have a caption. Send the text as a separate message.";
    throw invalid({ path: "text", code: "invalid_value", message });
  }
  const content = {
    media_id: file.id,
    ...(caption !== undefined && { caption }),
    ...(kind === "document" && file.filename !== null && { filename: file.filename }),
  };
  const send = async () => {
    const input = parseInput(replyBody, { [kind]: content, ...beside });
    await replyInConversation(ctx, conversationId, input);
  };
  await atFields(send(), (fault) => faultOfFile(kind, fault));
}

inboxActionPages.post(
  "/inbox/:id",
  { role: "agent", body: replyForm, onInvalid: showThreadAgain },
  async (request, { params: { id }, body: { text, media_id: fileId, ...beside } }) => {
    if (fileId === undefined) {
      const input = parseInput(replyBody, { text, ...beside });
      await replyInConversation(request.ctx, id, input);
    } else {
      const file = (await findMediaFiles(request.ctx, [fileId])).get(fileId);
      if (file === undefined) {
        const message = "The file is no longer available. Attach it again.";
        throw invalid({ path: "media_id", code: "not_found", message });
      }
      await replyWithFile(request, id, { file, caption: text, beside });
    }
    return redirectTo(inboxPath(request, id));
  },
);

const reactionForm = z.strictObject({ message_id: boundedText(100), emoji: z.string().default("") });

inboxActionPages.post("/inbox/:id/react", { role: "agent", body: reactionForm }, async (request, { params, body }) => {
  await replyInConversation(request.ctx, params.id, parseInput(replyBody, { reaction: body }));
  return redirectTo(inboxPath(request, params.id));
});

inboxActionPages.post("/inbox/:id/messages/:message/cancel", { role: "agent" }, async (request, { params }) => {
  await cancelMessage(request.ctx, params.message);
  return redirectTo(inboxPath(request, params.id), "The message was not sent.");
});

inboxActionPages.post(
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

inboxActionPages.post(
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

const MAX_LISTED = 500;

inboxActionPages.post(
  "/inbox/:id/note",
  { role: "agent", body: addNoteBody, onInvalid: showThreadAgain },
  async (request, { params: { id }, body }) => {
    await addNote(request.ctx, id, body.body);
    return redirectTo(inboxPath(request, id, { compose: "note" }));
  },
);

inboxActionPages.get("/inbox/:id/canned-replies", { role: "agent" }, async (request, { params }) => {
  const { contact_id } = await getConversation(request.ctx, params.id);
  return sendJson({ suggestions: await loadCannedReplies(request, contact_id) });
});

inboxActionPages.get("/inbox/:id/members", { role: "agent" }, async ({ ctx }) => {
  const mentions = mentionsOf(await listMembers(ctx, MAX_LISTED));
  return sendJson({
    suggestions: mentions.map(({ member: { user_id: id, name }, text }) => ({ id, name, text: `@${text}` })),
  });
});
