import { Webhook } from "standardwebhooks";
import { createError } from "./errors.ts";
import type { DeliveredEvent, EventBatch } from "./generated/types.ts";

/** One event, or a batch if the webhook has `batch`. `delivery.events ?? [delivery]` is always a list. */
export type WebhookDeliveryBody = (DeliveredEvent & { events?: undefined }) | (EventBatch & { type?: undefined });

type RequestHeaders = Headers | Record<string, string | string[] | undefined>;

/** Returns the events of a webhook request that Tidings signed in the last five minutes. If the signature is not
 * valid, throws a `TidingsError` with the code `invalid_signature`: respond with 401. If the body is not JSON,
 * the code is `invalid_body`. A plain `Error` means a mistake in your program: a missing or malformed secret,
 * missing headers, or a body that was already parsed.
 * @param body The raw body. JSON that was parsed and serialized again has another signature.
 * @param headers All headers of the request, from `fetch` or Node.
 * @param secret The secret of the webhook, `whsec_…`. During a rotation, an array of the old and the new secret. */
export function verify(
  body: string | Uint8Array,
  headers: RequestHeaders,
  secret: string | string[],
): WebhookDeliveryBody {
  const text = readBody(body);
  if (typeof headers !== "object" || headers === null) throw new TypeError("Pass the request's headers.");
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  // Two signatures are separated by a space.
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
