import { Memo } from "../../../shared/memo.ts";
import { MINUTE_MS } from "../../../shared/time/durations.ts";

const MAX_REQUESTS = 1000;

/**
 * Two requests with the same Idempotency-Key can arrive before the first one has stored its replay. The second one then
 * gets the result of the first.
 */
export class SharedAnswers<Answer> {
  private readonly started = new Memo<Promise<Answer>>(MAX_REQUESTS, MINUTE_MS);

  constructor(private readonly now: () => number) {}

  /**
   * Calls `act` once for all requests with this key. If the result is null or an error, it is not shared, so that a
   * repeat can succeed.
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
