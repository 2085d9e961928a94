import { setTimeout as sleep } from "node:timers/promises";
import { type Event, type Tidings, TidingsError } from "../src/index.ts";
import { clock, describeError, note } from "./output.ts";

/** Maximum of the API for `wait`. */
const WAIT_SECONDS = 20;
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 30_000;
/** No Retry-After of the API is longer. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;
/** Shortest time between two requests without events. A proxy can respond immediately instead of waiting. */
const SHORTEST_WAIT_MS = 1000;

export interface FollowOptions {
  /** The id of an event, or `now`. */
  after: string;
  types: string | undefined;
  signal: AbortSignal;
}

/** True if the same request can succeed later. */
const isPassing = ({ code, status }: TidingsError): boolean =>
  code === "network_error" ||
  code === "timeout" ||
  code === "invalid_response" ||
  status === 429 ||
  (status ?? 0) >= 500;

/** Milliseconds to wait after this number of failures in a row. */
export function delayBeforeRead(failures: number, retryAfterSeconds: number | null): number {
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), LONGEST_DELAY_MS);
  return Math.max(delayMs, Math.min((retryAfterSeconds ?? 0) * 1000, LONGEST_RETRY_AFTER_MS));
}

/** Repeats a read until it succeeds. Throws errors that do not disappear by themselves. */
async function persist<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      const result = await read();
      if (failures > 1) note(`${clock()} Connected again.`);
      return result;
    } catch (error) {
      if (signal.aborted || !(error instanceof TidingsError) || !isPassing(error)) throw error;
      if (failures === 1) note(`${clock()} ${describeError(error)}\n         Trying again.`);
      await sleep(delayBeforeRead(failures, error.retryAfter), undefined, { signal });
    }
  }
}

/** Yields all events after `after`, then every new event, until `signal` aborts. */
export async function* followEvents(
  tidings: Tidings,
  { after, types, signal }: FollowOptions,
): AsyncGenerator<Event, void> {
  const filter = types === undefined ? {} : { types };
  const read = (query: { after: string; wait?: number }) =>
    persist(signal, async () => tidings.events.list({ ...filter, ...query }, { signal }));
  // The first request does not wait. If the connection breaks later, the position is already known.
  let requestedAt = performance.now();
  let page = await read({ after });
  for (;;) {
    yield* page.events;
    const isIdle = page.events.length === 0 && !page.has_more;
    if (isIdle) await sleep(Math.max(0, requestedAt + SHORTEST_WAIT_MS - performance.now()), undefined, { signal });
    requestedAt = performance.now();
    page = await read({ after: page.next_after, ...(!page.has_more && { wait: WAIT_SECONDS }) });
  }
}
