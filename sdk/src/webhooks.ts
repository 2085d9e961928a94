import { Webhook } from "standardwebhooks";
import { createError } from "./errors.ts";
import type { DeliveredEvent, EventBatch } from "./generated/types.ts";

/**
 * The body of a webhook request: one event, or a list of events if `batch` is set for the webhook. To handle both in
 * the same way, use `delivery.events ?? [delivery]`.
 */
export type WebhookDeliveryBody = (DeliveredEvent & { events?: undefined }) | (EventBatch & { type?: undefined });

type RequestHeaders = Headers | Record<string, string | string[] | undefined>;

/** Checks that Tidings signed a webhook request in the last five minutes, and returns its body.
 *
 * If the signature is not valid, throws a `TidingsError` with the code `invalid_signature`. Respond with 401 in this
 * case. If the body is not JSON, throws a `TidingsError` with the code `invalid_body`. Any other `Error` means that
 * your program has a mistake: the secret is missing or malformed, the headers are missing, or the body was already
 * parsed.
 * @param body The raw body. If you parse the JSON and serialize it again, the signature does not match.
 * @param headers All headers of the request, from `fetch` or Node.
 * @param secret The secret of the webhook, `whsec_…`. During a rotation, pass an array of the old and new secret. */
export function verify(
  body: string | Uint8Array,
  headers: RequestHeaders,
  secret: string | string[],
): WebhookDeliveryBody {
  const text = readBody(body);
  if (typeof headers !== "object" || headers === null) throw new TypeError("Pass the request's headers.");
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  // If a header has several values, they are joined with a space, because `Webhook` splits the signatures at spaces.
  const signed = Object.fromEntries(entries.map(([name, value]) => [name, [value ?? ""].flat().join(" ")]));
  const secrets = [secret].flat();
  if (secrets.length === 0 || secrets.some((each) => !each)) throw new TypeError("The webhook's secret is required.");
  const failures = secrets.map((each) => new Webhook(each)).map((webhook) => findFailure(webhook, text, signed));
  if (failures.includes(null)) return parseBody(text);
  const [cause] = failures;
  throw createError("invalid_signature", cause?.message ?? "", null, { cause });
}

function findFailure(webhook: Webhook, text: string, signed: Record<string, string>): Error | null {
  try {
    webhook.verify(text, signed, { jsonParse: false });
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function parseBody(text: string): WebhookDeliveryBody {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw createError("invalid_body", "The body is signed correctly, but is not JSON.", null, { cause });
  }
}

function readBody(body: string | Uint8Array | ArrayBuffer): string {
  if (typeof body === "string") return body;
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body))
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
  throw new TypeError("The body is neither text nor bytes. Pass the raw body, before anything parses it.");
}
