import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import type { Event } from "../src/index.ts";
import { clock, note, print } from "./output.ts";

/** Tidings uses the same timeout for webhooks. */
const TIMEOUT_MS = 15_000;
const DELAYS_MS = [1000, 2000, 5000, 10_000];

export interface Receiver {
  url: string;
  secret: string;
  signal: AbortSignal;
}

/**
 * Sends an event once, in the same way as Tidings. Returns the status of the response, or the reason why there is no
 * response.
 */
async function post(event: Event, { url, secret, signal }: Receiver): Promise<number | string> {
  const body = JSON.stringify(event);
  const now = new Date();
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "Tidings-Webhooks/1",
        "webhook-id": event.id,
        "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
        "webhook-signature": new Webhook(secret).sign(event.id, now, body),
      },
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    signal.throwIfAborted();
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    return isLate ? `no response within ${TIMEOUT_MS / 1000} s` : "couldn't be reached";
  }
}

const isSuccess = (result: number | string): boolean => typeof result === "number" && result >= 200 && result < 300;

/** Sends an event, retries a few times and prints each result. Later events wait for it. */
export async function forwardEvent(event: Event, receiver: Receiver): Promise<void> {
  for (const delayMs of [...DELAYS_MS, null]) {
    const startedAt = performance.now();
    const result = await post(event, receiver);
    const took = `${Math.round(performance.now() - startedAt)} ms`;
    print(`${clock()} ${event.type} ${event.id} → ${result} (${took})`);
    if (isSuccess(result)) return;
    if (delayMs === null)
      return note("         Gave up. To send the event again, start with --after <the event before it>.");
    await sleep(delayMs, undefined, { signal: receiver.signal });
  }
}
