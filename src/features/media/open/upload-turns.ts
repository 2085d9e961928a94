// Messages that carry one file upload it to their provider one after the other: the first brings the id that the others use.
import { Memo } from "../../../shared/memo.ts";
import type { BaseCtx } from "../../../shared/context.ts";
import { SECOND_MS } from "../../../shared/time/durations.ts";

const POLL_MS = 50;
/** Uploads that still wait then are left to a later attempt: a run has to end in time. */
const MAX_WAIT_MS = 10 * SECOND_MS;
/** Longer than an upload takes: a turn whose request was cut off ends by itself. */
const TURN_MS = 30 * SECOND_MS;

/** The turns that are taken in this isolate. No promises: a request may not wait for another's promise. */
const turns = new Memo<symbol>(1000, TURN_MS);

/** Runs `work` while no other work of this isolate has the turn `key`. Throws where that takes too long. */
export async function inUploadTurn<T>(
  { now, wait }: Pick<BaseCtx, "now" | "wait">,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  for (let waitedMs = 0; turns.get(key, now()) !== undefined; waitedMs += POLL_MS) {
    if (waitedMs >= MAX_WAIT_MS) throw new Error("Another message is still uploading the file.");
    await wait(POLL_MS);
  }
  const turn = turns.set(key, Symbol(key), now());
  try {
    return await work();
  } finally {
    if (turns.get(key, now()) === turn) turns.delete(key);
  }
}
