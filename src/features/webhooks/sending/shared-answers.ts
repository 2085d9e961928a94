import { Memo } from "../../../shared/memo.ts";
import { MINUTE_MS } from "../../../shared/time/durations.ts";

const MAX_REQUESTS = 1000;

/** Requests of the last minute by key. Concurrent requests with the same key share one result: the replay is not stored yet. */
export class SharedAnswers<Answer> {
  private readonly started = new Memo<Promise<Answer>>(MAX_REQUESTS, MINUTE_MS);

  constructor(private readonly now: () => number) {}

  /** Runs `act`, or returns the result of an earlier request with this key. A null result or an error is not shared. */
  async actOnce(key: string | null, act: () => Promise<Answer>): Promise<Answer> {
    if (key === null) return act();
    const now = this.now();
    const earlier = this.started.get(key, now);
    if (earlier !== undefined) return earlier;
    let isDone = false;
    const answer = this.started.set(key, act(), now);
    try {
      const given = await answer;
      isDone = given !== null;
      return given;
    } finally {
      if (!isDone) this.started.delete(key);
    }
  }
}
