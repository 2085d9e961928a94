import { Memo } from "../../../shared/memo.ts";
import { MINUTE_MS } from "../../../shared/time/durations.ts";

const MAX_REQUESTS = 1000;

/** Two requests with the same key can arrive before the first one has stored its replay. They share one result. */
export class SharedAnswers<Answer> {
  private readonly started = new Memo<Promise<Answer>>(MAX_REQUESTS, MINUTE_MS);

  constructor(private readonly now: () => number) {}

  /** A null result or an error is not shared. */
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
