import { isMediaContent } from "../../../channels/content.ts";
import { describeFormats, type MediaRefusal, refusalOfFile } from "../../media/media.kinds.ts";
import { AppError, invalid, notFound } from "../../../shared/errors.ts";
import { customerServiceWindowEnd } from "../messages.customer-service-window.ts";
import type { NewMessageContent, SendCheck } from "./send-message.sql.ts";

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** Why a file is refused; `limit` is the most bytes that it may have. */
function fileFault(content: NewMessageContent["content"], file: SendCheck["file"]): MediaRefusal {
  if (content === undefined || !isMediaContent(content) || file?.status !== "stored") return { reason: "not_stored" };
  return (
    refusalOfFile(content.type, { mimeType: file.mime_type ?? "", bytes: file.bytes ?? 0 }) ?? { reason: "not_stored" }
  );
}

/** The error of a file that the message cannot hold. */
function refuseFile(content: NewMessageContent["content"], file: SendCheck["file"]): AppError {
  const refusal = fileFault(content, file);
  if (refusal.reason === "not_stored" || content === undefined || !isMediaContent(content))
    return new AppError("media_invalid", "This file is not stored. Read it with GET /media/:id to see why.", refusal);
  const fault = refusal.reason === "too_large" ? "This file is too large for" : "This file cannot be sent as";
  const message = `${fault} ${content.type}. Allowed: ${describeFormats(content.type)}`;
  return new AppError("media_invalid", message, refusal);
}

/** The error that tells a caller why a message does not go now. Throws where nothing refuses it. */
export function explainRefusal(
  { refusal, provider, file, contact_id, connection_status, last_inbound_at }: SendCheck,
  { content, template }: Pick<NewMessageContent, "content" | "template"> = {},
): AppError {
  switch (refusal) {
    case "malformed_user_id":
      return invalid({
        path: "user_id",
        code: "invalid_format",
        message: "Not a valid user id for this connection's provider.",
      });
    case "unknown_message":
      return notFound("message in this conversation");
    case "unknown_media":
      return notFound("file");
    case "media_invalid":
      return refuseFile(content, file);
    case "reacts_to_failed":
    case "reacts_to_cancelled":
      return new AppError("invalid_state", "The message was never sent, so there is nothing to react to.", {
        status: refusal === "reacts_to_failed" ? "failed" : "cancelled",
      });
    case "unsupported_message":
      return new AppError("unsupported_message", `The connection's provider cannot send ${content?.type ?? "this"}.`, {
        type: content?.type ?? null,
        provider,
      });
    case "connection_inactive":
      return new AppError("invalid_state", "The connection cannot send now. Check it with a connection test.", {
        status: connection_status ?? "deleted",
      });
    case "no_address":
      return new AppError(
        "unreachable",
        template?.isAuthentication === true
          ? "Login codes go to phone numbers only, and this person's number is not known."
          : "This contact has neither a number nor an id on this connection.",
        { contact_id },
      );
    case "unsubscribed":
      return new AppError("unsubscribed", "This person has unsubscribed.", { contact_id });
    case "marketing_opt_out":
      return new AppError(
        "unsubscribed",
        "This person turned marketing messages off. Replies and templates of other categories still reach them.",
        { contact_id, reason: "marketing_opt_out" },
      );
    case "window_closed":
      return new AppError(
        "window_closed",
        last_inbound_at === null
          ? "This person has not written to this connection yet. Send a template."
          : "More than 24 hours have passed since this person last wrote. Send a template.",
        {
          last_inbound_at: iso(last_inbound_at),
          expired_at: iso(last_inbound_at === null ? null : customerServiceWindowEnd(last_inbound_at)),
        },
      );
    case null:
      throw new Error("A message was not queued though nothing refuses it.");
  }
}
