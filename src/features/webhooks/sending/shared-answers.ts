import { Memo } from "../../../shared/memo.ts";
import { MINUTE_MS } from "../../../shared/time/durations.ts";

const MAX_REQUESTS = 1000;

/**
 * Requests of the last minute by key, so that concurrent repeats act once and share the result. The stored replay
 * does not help them, because all of them start before the first stores it.
 */
export class SharedAnswers<Answer> {
  private readonly started = new Memo<Promise<Answer>>(MAX_REQUESTS, MINUTE_MS);

  constructor(private readonly now: () => number) {}

  /**
   * Runs `act`, or returns the result of an earlier request with this key. After a null result or an error, the next
   * request runs `act` again.
   */
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
