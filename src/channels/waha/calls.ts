import * as z from "zod";
import type { UpstreamAnswer, UpstreamRequest } from "../../shared/network/upstream.ts";
import { messageError, outcomeOfStatus, toProviderError, withDelay } from "../answers.ts";
import type { OpenConnection, ProviderError, SendOutcome } from "../channel.ts";
import type { MessageErrorCode } from "../channel-events.ts";
import { lenientText, lenientObject } from "../provider-input.ts";
import { noticeOfSession } from "./events.ts";

const STARTING_MS = 5000;

export const baseOf = ({ config }: OpenConnection): string => (config["base_url"] ?? "").replace(/\/+$/, "");

export const wahaRequestTo = (connection: OpenConnection, path: string): UpstreamRequest => ({
  method: "GET",
  url: `${baseOf(connection)}/api/${path}`,
  headers: { "X-Api-Key": connection.config["api_key"] ?? "" },
});

export function callWith(
  connection: OpenConnection,
  method: "POST" | "PUT",
  path: string,
  body: Record<string, unknown>,
): UpstreamRequest {
  const { url, headers } = wahaRequestTo(connection, path);
  return {
    method,
    url,
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify({ session: connection.config["session"], ...body }),
  };
}

const failure = z.object({
  message: z
    .union([z.string(), z.array(z.string()).transform((all) => all.join("; "))])
    .nullish()
    .catch(null),
  error: lenientText,
  status: lenientText,
  exception: lenientObject({ message: lenientText }),
});

type Failure = z.infer<typeof failure>;

const textOf = ({ exception, message, error }: Failure): string => exception?.message ?? message ?? error ?? "";

/**
 * WAHA returns 500 for many different failures, so only the text shows the cause. If the text matches one of the next
 * two patterns, WhatsApp rejected the message, and a retry would fail again.
 */
const UNKNOWN_PERSON = /no lid for user|not (?:registered|on whatsapp)|jid not found|wid error|invalid (?:jid|wid)/i;
const BAD_REPUTATION = /server returned error 463/i;
/**
 * WAHA returns these texts if its engine (status 501), its edition (422) or its version (404) does not support a call.
 * Example: `Cannot POST /api/sendSticker`.
 */
const NO_SUCH_CALL = /not implemented by|available only in plus version|^cannot (?:post|put) \//i;

const TOO_LARGE = 413;

export function wahaOutcomeOfFailure(answer: UpstreamAnswer): SendOutcome {
  const { data } = failure.safeParse(answer.json);
  if (data === undefined) return outcomeOfStatus(answer, "");
  const said = textOf(data);
  const providerCode = String(answer.status);
  const refused = (code: MessageErrorCode): SendOutcome => ({
    kind: "refused",
    error: messageError(code, said, providerCode),
  });
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
  if (NO_SUCH_CALL.test(said)) return refused("unsupported_message");
  if (UNKNOWN_PERSON.test(said)) return refused("invalid_recipient");
  if (BAD_REPUTATION.test(said))
    return { kind: "refused", error: messageError("rate_limited", said, "463"), pauses: "campaign" };
  if (answer.status === TOO_LARGE) return refused("media_invalid");
  return outcomeOfStatus(answer, said);
}

export const wahaProviderErrorOf = (answer: UpstreamAnswer): ProviderError =>
  toProviderError(wahaOutcomeOfFailure(answer));
