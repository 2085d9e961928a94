// Messages as callers send them: exactly one content, named by its type, and what goes beside it.
import * as z from "zod";
import { outboundTypes } from "../../channels/content.ts";
import {
  boundedText,
  documentedAs,
  EVEN_WITH_OTHER_FAULTS,
  phoneNumber,
  recordId,
  utcTime,
} from "../../http/fields.ts";
import { parseRow } from "../../http/validate.ts";
import { type AppError, invalid } from "../../shared/errors.ts";
import { contentInputs } from "./content-input.schemas.ts";

const MAX_METADATA = 10;

const metadataInput = z
  .record(
    z.string().refine((name) => name.trim() !== "" && Array.from(name).length <= 60, {
      message: "Names have 1 to 60 characters.",
      params: { code: "invalid_value" },
    }),
    z.string().refine((value) => Array.from(value).length <= 500, {
      message: "Must have at most 500 characters.",
      params: { code: "too_big" },
    }),
  )
  .refine((metadata) => Object.keys(metadata).length <= MAX_METADATA, {
    message: `At most ${MAX_METADATA} names.`,
    params: { code: "too_big" },
  })
  .meta({
    description: `Strings of your own, by up to ${MAX_METADATA} names: given back with the message and its events.`,
  });

const messageFields = {
  ...contentInputs,
  preview_url: z.boolean().optional().meta({ description: "Shows a preview of the first link of the text." }),
  reply_to: recordId.optional().meta({ description: "A message of the same conversation, which this one quotes." }),
  send_at: utcTime().optional().meta({ description: "When to send, in UTC, within 365 days. Left out: at once." }),
  metadata: metadataInput.optional(),
};

/** A message that was asked for, validated but for what only the database knows. */
export type MessageInput = z.output<z.ZodObject<typeof messageFields, z.core.$strict>>;

function checkContent(input: MessageInput, issues: z.core.$RefinementCtx): void {
  const [first, ...others] = outboundTypes.filter((type) => input[type] !== undefined);
  const fault = (path: string, code: string, message: string) =>
    issues.addIssue({ code: "custom", path: [path], message, params: { code } });
  if (first === undefined) fault("text", "required", `Send one of ${outboundTypes.join(", ")}.`);
  for (const type of others) fault(type, "invalid_value", `Send one content: ${first} or ${type}.`);
  if (input.preview_url !== undefined && first !== "text")
    fault("preview_url", "invalid_value", "Goes with text only.");
  if (first === "reaction") {
    if (input.reply_to !== undefined) fault("reply_to", "invalid_value", "A reaction names its message itself.");
    if (input.send_at !== undefined) fault("send_at", "invalid_value", "A reaction is sent at once.");
  }
}

const addresseeFields = {
  to: phoneNumber({ requirePlus: true }).optional(),
  contact_id: recordId.optional(),
  user_id: boundedText(256)
    .optional()
    .meta({ description: "The provider's id of a person without a number, on the key's connection." }),
};

/** As `addresseeFields`; numbers without the plus are read as if they had one. */
export const lenientAddresseeFields = { ...addresseeFields, to: phoneNumber({ requirePlus: false }).optional() };

interface AddresseeInput {
  to?: string | undefined;
  contact_id?: string | undefined;
  user_id?: string | undefined;
}

/** The person that a message is for: by number (E.164), as a contact, or by the provider's id. */
export type Addressee = { to: string } | { contact_id: string } | { user_id: string };

/** Exactly one of the fields of `addresseeFields`. */
export function checkAddressee({ to, contact_id, user_id }: AddresseeInput, issues: z.core.$RefinementCtx): void {
  const sent = Object.entries({ to, contact_id, user_id }).filter(([, value]) => value !== undefined);
  if (sent.length === 1) return;
  const [path, code] = sent.length === 0 ? ["to", "required"] : [sent[1]?.[0] ?? "to", "invalid_value"];
  issues.addIssue({ code: "custom", path: [path], message: "Send one of to, contact_id, user_id.", params: { code } });
}

/** The addressee of a valid body. */
export function addresseeOf({ to, contact_id, user_id }: AddresseeInput): Addressee {
  if (contact_id !== undefined) return { contact_id };
  return user_id === undefined ? { to: to ?? "" } : { user_id };
}

export const sendMessageBody = z
  .strictObject({ ...addresseeFields, ...messageFields })
  .superRefine(checkAddressee, EVEN_WITH_OTHER_FAULTS)
  .superRefine(checkContent, EVEN_WITH_OTHER_FAULTS)
  .meta({ id: "MessagesSendRequest", description: "One of `to`, `contact_id`, `user_id`, and exactly one content." });

export const replyBody = z
  .strictObject(messageFields)
  .superRefine(checkContent, EVEN_WITH_OTHER_FAULTS)
  .meta({ id: "ConversationsReplyRequest", description: "Exactly one content." });

export const sendBatchBody = z.strictObject({
  messages: z
    .array(z.unknown().meta(documentedAs("MessagesSendRequest")))
    .min(1)
    .max(100)
    .meta({ description: "Bodies of `messages.send`, each judged by itself." }),
});

/** A valid row of a batch, or the reason why it is not. */
export type MessageRow = { addressee: Addressee; input: MessageInput } | { error: AppError };

export function parseMessageRow(sent: unknown): MessageRow {
  const row = parseRow(sendMessageBody, sent);
  return row.faults === null ? { addressee: addresseeOf(row.data), input: row.data } : { error: invalid(row.faults) };
}
