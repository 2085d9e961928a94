import * as z from "zod";
import { DAY_MS } from "../../shared/time/durations.ts";
import { log } from "../../shared/logger.ts";
import { isPhoneAddress, otherSpellings, phoneKey } from "../../shared/text/phone.ts";
import { isSuccess, UpstreamClosed, type UpstreamRequest, type UpstreamAnswer } from "../../shared/network/upstream.ts";
import {
  type ChannelIo,
  type OpenConnection,
  type OutboundMessage,
  type SendOutcome,
  type MediaFile,
  MediaUnavailable,
} from "../channel.ts";
import { lenientText, idOf } from "../provider-input.ts";
import { chatWith, personIn, keyOfOwn, parseMessageId } from "./ids.ts";
import { ANSWER_NOT_UNDERSTOOD, callToSend, messageError } from "../answers.ts";
import type { MediaContent, MediaType, OutboundContent } from "../content.ts";
import { callWith, wahaOutcomeOfFailure, wahaRequestTo } from "./calls.ts";
import { vCardOf } from "./vcards.ts";

/**
 * How long Tidings waits for each call to `check-exists`. After that, it sends the message to the number as written.
 */
const CHECK_MS = 3000;
const MONTH_S = (30 * DAY_MS) / 1000;
const DAY_S = DAY_MS / 1000;

const cachedChat = z.object({ chat: z.string().nullable() });
const existence = z.object({ numberExists: z.boolean(), chatId: lenientText });

type RequestTo = (path: string) => UpstreamRequest;

async function findChatOfSpelling(spelling: string, session: string, requestTo: RequestTo, { upstream }: ChannelIo) {
  const query = new URLSearchParams({ phone: spelling.replace("+", ""), session });
  const { status, json } = await upstream({
    ...requestTo(`contacts/check-exists?${query.toString()}`),
    withinMs: CHECK_MS,
  });
  const { data } = existence.safeParse(json);
  if (!isSuccess({ status }) || data === undefined) throw new Error(`The check returned ${status}.`);
  const { numberExists, chatId } = data;
  if (!numberExists || !chatId) return null;
  const person = personIn(chatId, null);
  const isOther = person === null || (person.phone !== null && phoneKey(person.phone) !== phoneKey(spelling));
  return isOther ? null : chatId;
}

async function findChat(to: string, session: string, requestTo: RequestTo, io: ChannelIo): Promise<string | null> {
  for (const spelling of [to, ...otherSpellings(to)]) {
    const chat = await findChatOfSpelling(spelling, session, requestTo, io);
    if (chat !== null) return chat;
  }
  return null;
}

/**
 * Some phone numbers have two spellings, for example Brazilian numbers with and without an extra 9. Only one of them
 * has a WhatsApp account, so Tidings asks WAHA which one and caches the answer. If this check fails, Tidings sends the
 * message to the number as written.
 */
async function chatFor(
  { id, config }: OpenConnection,
  { to, wroteFrom }: Pick<OutboundMessage, "to" | "wroteFrom">,
  requestTo: RequestTo,
  io: ChannelIo,
): Promise<string> {
  if (wroteFrom !== undefined) return chatWith(wroteFrom);
  if (!isPhoneAddress(to) || otherSpellings(to).length === 0) return chatWith(to);
  const key = `chat:${id}:${phoneKey(to)}`;
  try {
    const remembered = cachedChat.safeParse(await io.memory.get(key)).data;
    if (remembered !== undefined) return remembered.chat ?? chatWith(to);
    const chat = await findChat(to, config["session"] ?? "", requestTo, io);
    await io.memory.put(key, { chat }, { ttlSeconds: chat === null ? DAY_S : MONTH_S });
    return chat ?? chatWith(to);
  } catch (error) {
    if (error instanceof UpstreamClosed) throw error;
    log.error("number_not_checked", { connectionId: id, error });
    return chatWith(to);
  }
}

const accepted = z.union([
  z.object({ id: z.string().min(1) }).transform(({ id }) => id),
  z.object({ id: z.object({ _serialized: z.string().min(1) }) }).transform(({ id }) => id._serialized),
  z
    .object({ key: z.object({ remoteJid: z.string(), id: z.string().min(1) }) })
    .transform(({ key }) => `true_${key.remoteJid.replace("@s.whatsapp.net", "@c.us")}_${key.id}`),
]);

function userIdsIn(messageId: string): { userIds?: string[] } {
  const userId = personIn(parseMessageId(messageId)?.chat ?? "", null)?.userId ?? null;
  return userId === null ? {} : { userIds: [userId] };
}

function outcomeOf(answer: UpstreamAnswer): SendOutcome {
  if (!isSuccess(answer)) return wahaOutcomeOfFailure(answer);
  const id = idOf(accepted.safeParse(answer.json).data);
  return id === null
    ? { kind: "lost", error: messageError("provider_unreachable", ANSWER_NOT_UNDERSTOOD) }
    : { kind: "accepted", providerMessageId: id, providerKey: keyOfOwn(id), ...userIdsIn(id) };
}

/** Some engines return an empty body for a reaction. The reaction then gets an id that Tidings creates. */
function outcomeOfReaction({ id }: OutboundMessage, answer: UpstreamAnswer): SendOutcome {
  if (!isSuccess(answer)) return wahaOutcomeOfFailure(answer);
  const outcome = outcomeOf(answer);
  return outcome.kind === "accepted" ? outcome : { kind: "accepted", providerMessageId: `reaction_${id}` };
}

interface Call {
  path: string;
  body: Record<string, unknown>;
}

/**
 * WAHA rejects a location without a title, so this builds one from name and address. WhatsApp shows the title
 * next to the map.
 */
const titleOf = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(", ");

function fileCall(type: MediaType, { caption, filename }: MediaContent, file: MediaFile, url: string): Call {
  const name = filename ?? file.filename;
  const body = { file: { mimetype: file.mimeType, url, ...(name && { filename: name }) } };
  const captioned = { ...body, ...(caption && { caption }) };
  switch (type) {
    case "image":
      return { path: "sendImage", body: captioned };
    case "video":
      return { path: "sendVideo", body: { ...captioned, convert: false } };
    case "document":
      return { path: "sendFile", body: captioned };
    case "sticker":
      return { path: "sendSticker", body };
    case "audio":
      // WAHA has no call for audio files that play in the chat, only for voice messages. WhatsApp accepts only
      // Ogg with Opus for these, so WAHA must convert all other formats.
      return { path: "sendVoice", body: { ...body, convert: !/^audio\/ogg\b/.test(file.mimeType) } };
  }
}

async function callFor(text: string, content: OutboundContent, { media }: ChannelIo): Promise<Call | null> {
  switch (content.type) {
    case "text": {
      const { preview_url: linkPreview } = content.content;
      return { path: "sendText", body: { text, ...(linkPreview !== undefined && { linkPreview }) } };
    }
    case "location": {
      const { latitude, longitude, name, address } = content.content;
      return { path: "sendLocation", body: { latitude, longitude, title: titleOf(name, address) } };
    }
    case "contacts":
      return {
        path: "sendContactVcard",
        body: { contacts: content.content.map((card) => ({ vcard: vCardOf(card) })) },
      };
    case "interactive":
    case "reaction":
      return null;
    case "image":
    case "video":
    case "audio":
    case "document":
    case "sticker": {
      const file = await media.open(content.content.media_id);
      return fileCall(content.type, content.content, file, await file.link());
    }
  }
}

const unsupported = (message: string): SendOutcome => ({
  kind: "refused",
  error: messageError("unsupported_message", message),
});

function sendReaction(
  connection: OpenConnection,
  message: OutboundMessage,
  emoji: string,
  { upstream }: ChannelIo,
): Promise<SendOutcome> | SendOutcome {
  const { replyTo } = message;
  if (replyTo === undefined)
    return unsupported("The reaction cannot be sent, because WhatsApp's id of the other message is unknown.");
  const request = callWith(connection, "PUT", "reaction", { messageId: replyTo, reaction: emoji });
  return callToSend(upstream, request, (answer) => outcomeOfReaction(message, answer));
}

async function requestFor(
  connection: OpenConnection,
  message: OutboundMessage,
  { path, body }: Call,
  io: ChannelIo,
): Promise<UpstreamRequest> {
  const chatId = await chatFor(connection, message, (to) => wahaRequestTo(connection, to), io);
  const { replyTo } = message;
  return callWith(connection, "POST", path, { chatId, ...body, ...(replyTo !== undefined && { reply_to: replyTo }) });
}

export async function sendWahaMessage(
  connection: OpenConnection,
  message: OutboundMessage,
  io: ChannelIo,
): Promise<SendOutcome> {
  const { content = { type: "text", content: {} } } = message;
  if (content.type === "reaction") return sendReaction(connection, message, content.content.emoji, io);
  try {
    const call = await callFor(message.body, content, io);
    if (call === null) return unsupported("WAHA cannot send this kind of message.");
    return await callToSend(io.upstream, await requestFor(connection, message, call, io), outcomeOf);
  } catch (error) {
    if (!(error instanceof MediaUnavailable)) throw error;
    return { kind: "refused", error: messageError("media_invalid", error.message) };
  }
}
