import * as z from "zod";
import { findMediaFiles } from "../../../../features/media/media.service.ts";
import { replyBody } from "../../../../features/messages/input/message-input.schemas.ts";
import { cancelMessage } from "../../../../features/messages/messages.service.ts";
import { replyInConversation } from "../../../../features/messages/send/send-message.ts";
import { boundedText } from "../../../../http/fields.ts";
import { AppError, invalid } from "../../../../shared/errors.ts";
import { redirectTo } from "../../../kit/results.ts";
import { workspacePages } from "../../../kit/audiences.ts";
import { readFaults } from "../../../kit/forms/faults.ts";
import type { ChosenFile } from "../../../kit/forms/file-field.tsx";
import { parseInput } from "../../../kit/forms/forms.ts";
import type { WorkspaceRequest } from "../../../kit/request.ts";
import { fieldTime } from "../../../kit/forms/time-field.tsx";
import { showThreadAgain } from "../inbox.tsx";
import { inboxPath } from "../list/inbox-query.ts";
import type { MediaType } from "../../../../channels/content.ts";
import { refusalOfFile } from "../../../../features/media/media.kinds.ts";

export const inboxActionPages = workspacePages();

/** In order of preference. An attached file is never meant as a sticker. */
const KINDS = ["image", "video", "audio", "document"] as const satisfies MediaType[];

/** The best kind for the file: an image that is too large becomes a document. Throws `validation_failed`. */
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

/** Caption faults appear at the text, file faults at the file. */
async function atFieldsOf<T>(kind: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "validation_failed") throw error;
    throw invalid(
      readFaults(error).map((fault) => {
        if (fault.path === `${kind}.caption`) return { ...fault, path: "text" };
        return fault.path.startsWith(kind) ? { ...fault, path: "media_id" } : fault;
      }),
    );
  }
}

interface FileReply {
  file: ChosenFile;
  caption: string | undefined;
  beside: { reply_to?: string | undefined; send_at?: string | undefined };
}

/** Sends a file as the kind of message that fits it. Throws `validation_failed`. */
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
  await atFieldsOf(kind, send());
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
