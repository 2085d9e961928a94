import { describe, expect, it } from "vitest";
import { isSetAside, retryDelaySeconds } from "../../src/entrypoints/retries.ts";
import { isPlatformFailure } from "../../src/shared/errors.ts";

const DAY_SECONDS = 86_400;

describe("Failed queue messages", () => {
  it("The delay of a failed queue message doubles up to half an hour", () => {
    expect([1, 2, 5, 10, 11, 50, 100].map(retryDelaySeconds)).toEqual([2, 4, 32, 1024, 1800, 1800, 1800]);
  });

  it("A hundred retries of a queue message end within three days, before the queue deletes the message", () => {
    let seconds = 0;
    for (let attempt = 1; attempt <= 100; attempt++) seconds += retryDelaySeconds(attempt);
    expect(seconds).toBeGreaterThan(1.8 * DAY_SECONDS);
    expect(seconds).toBeLessThan(3 * DAY_SECONDS);
  });

  it("A queue message is set aside after ten attempts, unless the platform may have failed", () => {
    expect([1, 9, 10, 100].map((attempts) => isSetAside(attempts, false))).toEqual([false, false, true, true]);
    expect([1, 9, 10, 100].map((attempts) => isSetAside(attempts, true))).toEqual([false, false, false, false]);
  });
});

describe("Failures of the platform", () => {
  it.each([
    new Error("D1_ERROR: database is locked: SQLITE_BUSY"),
    new Error("D1_ERROR: internal error; reference = 4711"),
    new Error("Failed query: select 1", { cause: new Error("D1_ERROR: Network connection lost.") }),
    new Error("D1 DB is overloaded. Too many requests queued."),
    new Error("KV PUT failed: 429 Too Many Requests"),
    new Error("Queue sendBatch failed: Internal Server Error"),
    new Error("put: We encountered an internal error. Please try again. (10001)"),
    Object.assign(new Error("boom"), { remote: true }),
    Object.assign(new Error("boom"), { retryable: true }),
    new Error("Too many subrequests."),
    new Error("The operation timed out"),
  ])("An error with this message is a failure of the platform: $message", (error) => {
    expect(isPlatformFailure(error)).toBe(true);
  });

  it.each([
    new Error("An inbound message names nobody."),
    new TypeError("Cannot read properties of undefined (reading 'body')"),
    "nonsense",
    null,
  ])("This error is a failure of the work, not of the platform: %s", (error) => {
    expect(isPlatformFailure(error)).toBe(false);
  });
});
