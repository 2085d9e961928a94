import { describe, expect, it } from "vitest";
import { keysOnSandbox } from "../../src/channels/sandbox/sandbox-records.ts";
import { backoffMs, isLastAttempt, nextAttemptTime } from "../../src/features/messages/messages.delays.ts";

const ATTEMPTS = [1, 2, 3, 4, 5, 6];

describe("Temporary rejections", () => {
  it("A temporarily rejected message is sent at most six times", () => {
    expect(ATTEMPTS.map(isLastAttempt)).toEqual([false, false, false, false, false, true]);
    expect(isLastAttempt(7)).toBe(true);
  });

  it("The sandbox has one message key for each of the six possible attempts", () => {
    const [, ...keys] = keysOnSandbox("msg_1");
    expect(keys.map((_, index) => isLastAttempt(index + 1))).toEqual(ATTEMPTS.map(isLastAttempt));
  });

  it("A temporarily rejected message waits four times as long after each attempt", () => {
    expect(ATTEMPTS.slice(0, 5).map((attempt) => backoffMs(attempt, 0.5))).toEqual([
      1000, 4000, 16_000, 64_000, 256_000,
    ]);
  });

  it("The wait of a temporarily rejected message is up to a quarter shorter or longer, so that retries are spread", () => {
    expect([backoffMs(1, 0), backoffMs(1, 1)]).toEqual([750, 1250]);
    expect([backoffMs(5, 0), backoffMs(5, 1)]).toEqual([192_000, 320_000]);
  });

  it("A temporarily rejected message is retried after its backoff, and not before the time that the provider requested", () => {
    expect(nextAttemptTime(1, { now: 50_000, chance: 0.5 })).toBe(51_000);
    expect(nextAttemptTime(1, { now: 50_000, chance: 0.5, requestedMs: 400 })).toBe(51_000);
    expect(nextAttemptTime(1, { now: 50_000, chance: 0.5, requestedMs: 30_000 })).toBe(80_000);
  });
});
