// Finds the chat of a number. Source: waha.devlike.pro/docs/how-to/contacts, "Check phone number exists".
import * as z from "zod";
import { DAY_MS } from "../../shared/time/durations.ts";
import { log } from "../../shared/logger.ts";
import { isPhoneAddress, otherSpellings, phoneKey } from "../../shared/text/phone.ts";
import { isSuccess, UpstreamClosed, type UpstreamRequest } from "../../shared/network/upstream.ts";
import type { ChannelIo, OpenConnection, OutboundMessage } from "../channel.ts";
import { lenientText } from "../lenient.ts";
import { chatWith, personIn } from "./ids.ts";

/** A send waits no longer than this for an optional lookup. */
const CHECK_MS = 3000;
const MONTH_S = (30 * DAY_MS) / 1000;
/** A number that is not on WhatsApp may join later. */
const DAY_S = DAY_MS / 1000;

const known = z.object({ chat: z.string().nullable() });
const existence = z.object({ numberExists: z.boolean(), chatId: lenientText });

/** Builds a request to WAHA's API. */
type RequestTo = (path: string) => UpstreamRequest;

/** WhatsApp's chat for this spelling; null if WhatsApp has none. Throws if the response does not say. */
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
  // A hidden id stands for any number; a number must match.
  const isOther = person === null || (person.phone !== null && phoneKey(person.phone) !== phoneKey(spelling));
  return isOther ? null : chatId;
}

/** WhatsApp's chat for any spelling of a number, the given one first. */
async function findChat(to: string, session: string, requestTo: RequestTo, io: ChannelIo): Promise<string | null> {
  for (const spelling of [to, ...otherSpellings(to)]) {
    const chat = await findChatOfSpelling(spelling, session, requestTo, io);
    if (chat !== null) return chat;
  }
  return null;
}

/**
 * The chat of a message: the one from which the person wrote; else, for a number with two spellings, WhatsApp's chat, looked up
 * once a month; else the chat of the number as given, also if the lookup fails.
 */
export async function chatFor(
  { id, config }: OpenConnection,
  { to, wroteFrom }: Pick<OutboundMessage, "to" | "wroteFrom">,
  requestTo: RequestTo,
  io: ChannelIo,
): Promise<string> {
  if (wroteFrom !== undefined) return chatWith(wroteFrom);
  if (!isPhoneAddress(to) || otherSpellings(to).length === 0) return chatWith(to);
  const key = `chat:${id}:${phoneKey(to)}`;
  try {
    const remembered = known.safeParse(await io.memory.get(key)).data;
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
