import { Webhook } from "standardwebhooks";
import { createError } from "./errors.ts";
import type { DeliveredEvent, EventBatch } from "./generated/types.ts";

/**
 * The body of a delivery: an event, or a batch for a webhook with `batch`. `delivery.events ?? [delivery]` is a list in both
 * cases.
 */
export type WebhookDeliveryBody = (DeliveredEvent & { events?: undefined }) | (EventBatch & { type?: undefined });

type RequestHeaders = Headers | Record<string, string | string[] | undefined>;

/**
 * Returns the events in a webhook's request, if its signature proves that Tidings sent it at most five minutes ago.
 * Otherwise throws a `TidingsError` with the code `invalid_signature`: respond with 401. For a signed body that is not
 * JSON, the code is `invalid_body`. Throws a plain `Error` for a missing or malformed secret, a body that was already
 * parsed, or missing headers. Such an error is a mistake in your program.
 *
 * @param body The raw body, because JSON that was parsed and serialized again has another signature.
 * @param headers All headers of the request, from `fetch` or Node.
 * @param secret The webhook's secret, `whsec_…`. During a rotation, the old and the new secret.
 */
export function verify(
  body: string | Uint8Array,
  headers: RequestHeaders,
  secret: string | string[],
): WebhookDeliveryBody {
  const text = readBody(body);
  if (typeof headers !== "object" || headers === null) throw new TypeError("Pass the request's headers.");
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  // Several signatures are separated by spaces.
  const signed = Object.fromEntries(entries.map(([name, value]) => [name, [value ?? ""].flat().join(" ")]));
  const secrets = [secret].flat();
  if (secrets.length === 0 || secrets.some((each) => !each)) throw new TypeError("The webhook's secret is required.");
  const failures = secrets.map((each) => new Webhook(each)).map((webhook) => findFailure(webhook, text, signed));
  if (failures.includes(null)) return parseBody(text);
  const [cause] = failures;
  throw createError("invalid_signature", cause?.message ?? "", null, { cause });
}

/** Null if the signature is valid. */
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
