import { setTimeout as sleep } from "node:timers/promises";
import { type Event, type Tidings, TidingsError } from "../src/index.ts";
import { clock, describeError, note } from "./output.ts";

/** The longest that the API lets a request wait. */
const WAIT_SECONDS = 20;
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 30_000;

export interface FollowOptions {
  /** An event's id, or `now`. */
  after: string;
  types: string | undefined;
  signal: AbortSignal;
}

/** True where the same request may go well another time. */
const isPassing = ({ code, status }: TidingsError): boolean =>
  code === "network_error" ||
  code === "timeout" ||
  code === "invalid_response" ||
  status === 429 ||
  (status ?? 0) >= 500;

/** The result of a read, which is repeated until the service is there and takes it. Throws what no repeat would change. */
async function persist<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> {
  for (let delayMs = FIRST_DELAY_MS, failed = false; ; delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS)) {
    try {
      const result = await read();
      if (failed) note(`${clock()} Connected again.`);
      return result;
    } catch (error) {
      if (signal.aborted || !(error instanceof TidingsError) || !isPassing(error)) throw error;
      if (!failed) note(`${clock()} ${describeError(error)}\n         Trying again.`);
      failed = true;
      await sleep(Math.max(delayMs, (error.retryAfter ?? 0) * 1000), undefined, { signal });
    }
  }
}

/** The events of a workspace from a place on, each as it happens, until the signal. */
export async function* followEvents(
  tidings: Tidings,
  { after, types, signal }: FollowOptions,
): AsyncGenerator<Event, void> {
  const filter = types === undefined ? {} : { types };
  const read = (query: { after: string; wait?: number }) =>
    persist(signal, async () => tidings.events.list({ ...filter, ...query }, { signal }));
  // Without a wait first: from then on there is a place to go on from, whatever breaks.
  let page = await read({ after });
  for (;;) {
    yield* page.events;
    page = await read({ after: page.next_after, ...(!page.has_more && { wait: WAIT_SECONDS }) });
  }
}
