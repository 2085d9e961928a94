// Requests that WAHA's reference allows (waha.devlike.pro/swagger). WAHA itself may accept more.
import * as z from "zod";

const session = z.literal("default");
const chatId = z.string().regex(/^\d{1,20}@(c\.us|lid)$/);
const messageId = z.string().regex(/^(true|false)_[^_]+@(c\.us|lid)_[^_]+$/);

const message = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject({ session, chatId, ...shape, reply_to: messageId.optional() });

const file = z.strictObject({ mimetype: z.string().regex(/^\w+\/\S/), url: z.url(), filename: z.string().optional() });
const caption = z.string().min(1).optional();
const convert = z.boolean();

const vcard = z.string().regex(/^BEGIN:VCARD\nVERSION:3\.0\n[^]*\nEND:VCARD$/);

const bodies = {
  "POST /api/sendText": message({ text: z.string().min(1), linkPreview: z.boolean().optional() }),
  "POST /api/sendImage": message({ file, caption }),
  "POST /api/sendFile": message({ file, caption }),
  "POST /api/sendVoice": message({ file, convert }),
  "POST /api/sendVideo": message({ file, caption, convert }),
  "POST /api/sendSticker": message({ file: file.extend({ mimetype: z.literal("image/webp") }) }),
  "POST /api/sendLocation": message({ latitude: z.number(), longitude: z.number(), title: z.string() }),
  "POST /api/sendContactVcard": message({ contacts: z.array(z.strictObject({ vcard })).min(1) }),
  "PUT /api/reaction": z.strictObject({ session, messageId, reaction: z.string() }),
  "POST /api/sendSeen": z.strictObject({ session, chatId, messageIds: z.array(messageId).min(1).optional() }),
};

const calls = new Map<string, z.ZodType>(Object.entries(bodies));

export const isWahaCall = (call: string): boolean => calls.has(call);

export function faultOfWahaCall(call: string, body: unknown): string | null {
  const error = calls.get(call)?.safeParse(body).error;
  return error === undefined ? null : `${call}: ${z.prettifyError(error)}`;
}
