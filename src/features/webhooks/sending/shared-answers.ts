import { Memo } from "../../../shared/memo.ts";
import { MINUTE_MS } from "../../../shared/time/durations.ts";

const MAX_REQUESTS = 1000;

/**
 * The requests of the last minute, by key, so that concurrent repeats act once and share the answer: all of them look for it in the
 * database before the first has put it there.
 */
export class SharedAnswers<Answer> {
  private readonly started = new Memo<Promise<Answer>>(MAX_REQUESTS, MINUTE_MS);

  constructor(private readonly now: () => number) {}

  /** Acts, unless the request with this key has begun. An answer that is null, or an error, leaves the key free. */
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
