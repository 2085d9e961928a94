// Source: waha.devlike.pro/docs
import * as z from "zod";
import { constantTimeEqual, hmacSha512 } from "../../shared/security/crypto.ts";
import { ANSWER_NOT_UNDERSTOOD, excerpt, callForSuccess, callForJson } from "../answers.ts";
import { type ReadReceipt, type HttpIo, type Channel, type OpenConnection, ProviderError } from "../channel.ts";
import { lenientText, lenientObject } from "../provider-input.ts";
import { callWith, wahaProviderErrorOf, wahaRequestTo } from "./calls.ts";
import { noticeOfSession, parseWahaWebhook, webhookEvents } from "./events.ts";
import { chatWith, parseMessageId, personIn } from "./ids.ts";
import { fetchWahaMedia } from "./received-media.ts";
import { sendWahaMessage } from "./sending.ts";

const session = z.object({
  status: z.string(),
  me: lenientObject({ id: lenientText, pushName: lenientText }),
});

async function test(connection: OpenConnection, { upstream }: HttpIo) {
  const name = connection.config["session"] ?? "";
  const request = wahaRequestTo(connection, `sessions/${encodeURIComponent(name)}`);
  const { data } = session.safeParse(await callForJson(upstream, request, wahaProviderErrorOf));
  if (data === undefined) throw new ProviderError(ANSWER_NOT_UNDERSTOOD);
  const notice = noticeOfSession(data.status);
  if (notice?.status !== "active")
    throw new ProviderError(notice?.detail ?? `The session is ${excerpt(data.status)}.`, excerpt(data.status), notice);
  const account = data.me?.id?.replace(/@.*$/, "");
  return { detail: `The session ${name} is working${account ? ` as +${account}` : ""}.` };
}

const lidOwner = z.object({ pn: lenientText });

/** WAHA returns one of these statuses if its engine cannot look up the number behind a hidden id. */
const DOES_NOT_KNOW = new Set(["400", "404", "501"]);

async function findPhone(connection: OpenConnection, userId: string, { upstream }: HttpIo): Promise<string | null> {
  const name = encodeURIComponent(connection.config["session"] ?? "");
  const request = wahaRequestTo(connection, `${name}/lids/${encodeURIComponent(userId)}`);
  try {
    const { data } = lidOwner.safeParse(await callForJson(upstream, request, wahaProviderErrorOf));
    return personIn(data?.pn ?? "", null)?.phone ?? null;
  } catch (error) {
    if (error instanceof ProviderError && DOES_NOT_KNOW.has(error.providerCode ?? "")) return null;
    throw error;
  }
}

/**
 * Marks the whole chat as read. Engines that do not store messages reject this call, so this function then
 * marks only the message. Source: waha.devlike.pro/docs/how-to/send-messages/#send-seen
 */
async function markRead(connection: OpenConnection, { providerMessageId, from }: ReadReceipt, io: HttpIo) {
  const chatId = parseMessageId(providerMessageId)?.chat ?? chatWith(from);
  try {
    await callForSuccess(io.upstream, callWith(connection, "POST", "sendSeen", { chatId }), wahaProviderErrorOf);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.notice !== null) throw error;
    const request = callWith(connection, "POST", "sendSeen", { chatId, messageIds: [providerMessageId] });
    await callForSuccess(io.upstream, request, wahaProviderErrorOf);
  }
}

async function verify({ config }: OpenConnection, bytes: Uint8Array, headers: Headers): Promise<boolean> {
  const key = config["webhook_hmac_key"];
  const signature = headers.get("X-Webhook-Hmac");
  if (!key || signature === null || !/^[0-9a-f]{128}$/i.test(signature)) return false;
  return constantTimeEqual(signature.toLowerCase(), (await hmacSha512(key, bytes)).toHex());
}

export const waha: Channel = {
  send: sendWahaMessage,
  test,
  findPhone,
  fetchMedia: fetchWahaMedia,
  markRead,
  webhook: {
    secrets: ["webhook_hmac_key"],
    events: webhookEvents,
    challenge: () => Promise.resolve(null),
    verify,
    parse: parseWahaWebhook,
  },
};
