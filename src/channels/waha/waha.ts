// WAHA, a WhatsApp HTTP API for ordinary accounts. Source: waha.devlike.pro/docs
import * as z from "zod";
import { constantTimeEqual, hmacSha512 } from "../../shared/crypto.ts";
import type { UpstreamAnswer, UpstreamRequest } from "../../shared/upstream.ts";
import {
  callToAsk,
  callToSend,
  excerpt,
  messageError,
  outcomeOfStatus,
  toProviderError,
  withDelay,
} from "../answers.ts";
import { type AskIo, type Channel, type OpenConnection, ProviderError, type SendOutcome } from "../channel.ts";
import { lenientText } from "../lenient.ts";
import { idOf } from "../readable.ts";
import { chatFor } from "./chats.ts";
import { noticeOfSession, parseWahaWebhook, webhookEvents } from "./events.ts";
import { keyOfOwn, parseMessageId, personIn } from "./ids.ts";

const STARTING_MS = 5000;

function requestTo({ config }: OpenConnection, path: string): UpstreamRequest {
  const base = (config["base_url"] ?? "").replace(/\/+$/, "");
  return { method: "GET", url: `${base}/api/${path}`, headers: { "X-Api-Key": config["api_key"] ?? "" } };
}

/** Every engine answers in a form of its own. */
const accepted = z.union([
  z.object({ id: z.string().min(1) }).transform(({ id }) => id),
  z.object({ id: z.object({ _serialized: z.string().min(1) }) }).transform(({ id }) => id._serialized),
  z
    .object({ key: z.object({ remoteJid: z.string(), id: z.string().min(1) }) })
    .transform(({ key }) => `true_${key.remoteJid.replace("@s.whatsapp.net", "@c.us")}_${key.id}`),
]);

const failure = z.object({
  message: z
    .union([z.string(), z.array(z.string()).transform((all) => all.join("; "))])
    .nullish()
    .catch(null),
  error: lenientText,
  status: lenientText,
  exception: z.object({ message: lenientText }).nullish().catch(null),
});

type Failure = z.infer<typeof failure>;

const textOf = ({ exception, message, error }: Failure): string => exception?.message ?? message ?? error ?? "";

/** WAHA answers 500 for whatever WhatsApp itself refuses; these texts mean that it did, for good. */
const UNKNOWN_PERSON = /no lid for user|not (?:registered|on whatsapp)|jid not found|wid error|invalid (?:jid|wid)/i;
const BAD_REPUTATION = /server returned error 463/i;

function outcomeOfFailure(answer: UpstreamAnswer): SendOutcome {
  const { data } = failure.safeParse(answer.json);
  if (data === undefined) return outcomeOfStatus(answer, "");
  const said = textOf(data);
  const providerCode = String(answer.status);
  if (answer.status === 422 && data.status) {
    const notice = noticeOfSession(data.status);
    const error = messageError("provider_unreachable", notice?.detail ?? said, data.status);
    const isStarting = data.status === "STARTING";
    return {
      kind: "retry",
      error,
      ...withDelay(answer.headers, STARTING_MS),
      ...(notice && !isStarting && { notice }),
    };
  }
  if (UNKNOWN_PERSON.test(said))
    return { kind: "refused", error: messageError("invalid_recipient", said, providerCode) };
  if (BAD_REPUTATION.test(said))
    return { kind: "refused", error: messageError("rate_limited", said, "463"), pauses: "campaign" };
  return outcomeOfStatus(answer, said);
}

function outcomeOf(answer: UpstreamAnswer): SendOutcome {
  if (answer.status < 200 || answer.status >= 300) return outcomeOfFailure(answer);
  const id = idOf(accepted.safeParse(answer.json).data);
  return id === null
    ? { kind: "lost", error: messageError("provider_unreachable", "The provider's answer was not understood.") }
    : { kind: "accepted", providerMessageId: id, providerKey: keyOfOwn(id), ...userIdsIn(id) };
}

/** The hidden id of the person, where the chat in a message's id is written by it. */
function userIdsIn(messageId: string): { userIds?: string[] } {
  const userId = personIn(parseMessageId(messageId)?.chat ?? "", null)?.userId ?? null;
  return userId === null ? {} : { userIds: [userId] };
}

const providerErrorOf = (answer: UpstreamAnswer): ProviderError => toProviderError(outcomeOfFailure(answer));

const session = z.object({
  status: z.string(),
  me: z.object({ id: lenientText, pushName: lenientText }).nullish().catch(null),
});

async function test(connection: OpenConnection, { upstream }: AskIo) {
  const name = connection.config["session"] ?? "";
  const request = requestTo(connection, `sessions/${encodeURIComponent(name)}`);
  const { data } = session.safeParse(await callToAsk(upstream, request, providerErrorOf));
  if (data === undefined) throw new ProviderError("The provider's answer was not understood.");
  const notice = noticeOfSession(data.status);
  if (notice?.status !== "active")
    throw new ProviderError(notice?.detail ?? `The session is ${excerpt(data.status)}.`, excerpt(data.status), notice);
  const account = data.me?.id?.replace(/@.*$/, "");
  return { detail: `The session ${name} is working${account ? ` as +${account}` : ""}.` };
}

const lidOwner = z.object({ pn: lenientText });

/** Answers of servers and engines that never know the number behind a hidden id. */
const DOES_NOT_KNOW = new Set(["400", "404", "501"]);

/** Asks for the number behind a hidden id. Source: waha.devlike.pro/docs/how-to/contacts/#api---lids */
async function findPhone(connection: OpenConnection, userId: string, { upstream }: AskIo): Promise<string | null> {
  const name = encodeURIComponent(connection.config["session"] ?? "");
  const request = requestTo(connection, `${name}/lids/${encodeURIComponent(userId)}`);
  try {
    const { data } = lidOwner.safeParse(await callToAsk(upstream, request, providerErrorOf));
    return personIn(data?.pn ?? "", null)?.phone ?? null;
  } catch (error) {
    if (error instanceof ProviderError && DOES_NOT_KNOW.has(error.providerCode ?? "")) return null;
    throw error;
  }
}

/** The signature is over the bytes as they came. */
async function verify({ config }: OpenConnection, bytes: Uint8Array, headers: Headers): Promise<boolean> {
  const key = config["webhook_hmac_key"];
  const signature = headers.get("X-Webhook-Hmac");
  if (!key || signature === null || !/^[0-9a-f]{128}$/i.test(signature)) return false;
  return constantTimeEqual(signature.toLowerCase(), (await hmacSha512(key, bytes)).toHex());
}

/** Delivers through a WAHA server. It takes no id of ours, so a status names the message by WAHA's id. */
export const waha: Channel = {
  async send(connection, message, io) {
    const { url, headers } = requestTo(connection, "sendText");
    const chatId = await chatFor(connection, message, (path) => requestTo(connection, path), io);
    const content = { session: connection.config["session"], chatId, text: message.body };
    const request = {
      method: "POST",
      url,
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify(content),
    } as const;
    return callToSend(io.upstream, request, outcomeOf);
  },
  test,
  findPhone,
  webhook: {
    secrets: ["webhook_hmac_key"],
    events: webhookEvents,
    challenge: () => Promise.resolve(null),
    verify,
    parse: parseWahaWebhook,
  },
};
