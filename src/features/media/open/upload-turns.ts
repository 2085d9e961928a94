// Messages with the same file upload it to their provider one after the other. The first upload provides the id for the others.
import { Memo } from "../../../shared/memo.ts";
import type { BaseCtx } from "../../../shared/context.ts";
import { SECOND_MS } from "../../../shared/time/durations.ts";

const POLL_MS = 50;
/** After this time an upload waits for a later attempt, because a run has limited time. */
const MAX_WAIT_MS = 10 * SECOND_MS;
/** Longer than an upload takes, so the turn of an aborted request expires. */
const TURN_MS = 30 * SECOND_MS;

/** This isolate's turns. Not promises, because a request must not await a promise of another request. */
const turns = new Memo<symbol>(1000, TURN_MS);

/** Runs `work` while no other work of this isolate has the turn `key`. Throws after `MAX_WAIT_MS`. */
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
