import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../support/clock.ts";
import { faultyWorld } from "../support/storage.ts";

beforeEach(() => {
  stopClock();
  vi.restoreAllMocks();
});

async function answerWhile(message: string) {
  const log = vi.spyOn(console, "error").mockReturnValue();
  const { world, faults } = faultyWorld();
  const customer = await world.customer();
  faults.next(/insert into "?tags/i, "before", message);
  const { status, headers, body } = await customer.call("POST", "/tags", { name: "New" });
  return {
    status,
    retryAfter: headers.get("Retry-After"),
    error: body.error,
    logged: String(log.mock.calls.at(-1)?.[0]),
  };
}

describe("Failing requests", () => {
  it.each([
    "D1_ERROR: Network connection lost.",
    "D1_ERROR: D1 DB reset because its code was updated.",
    "D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset.",
    "D1_ERROR: Internal error in D1 DB storage caused object to be reset.",
    "D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.",
    "D1_ERROR: Can't read from request stream because client disconnected.",
    "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
    "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
    "D1_ERROR: D1 DB is overloaded. Too many requests queued.",
    "D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.",
    "D1_ERROR: D1 DB exceeded its CPU time limit and was reset.",
    "D1_ERROR: no such table: contact_search: SQLITE_ERROR",
  ])("A request that D1 fails for a transient reason returns 503 with Retry-After: %s", async (message) => {
    const answer = await answerWhile(message);
    expect(answer).toMatchObject({ status: 503, retryAfter: "2", error: { code: "unavailable" } });
    expect(answer.logged).toContain("request_failed");
  });

  it.each([
    "D1_ERROR: Exceeded maximum DB size",
    "D1_ERROR: Exceeded maximum account storage limit.",
    "D1_ERROR: database or disk is full: SQLITE_FULL",
  ])(
    "A request that fails because D1 is full returns 503 with its own message and is logged as database_full: %s",
    async (message) => {
      const answer = await answerWhile(message);
      expect(answer).toMatchObject({ status: 503, retryAfter: "60", error: { code: "unavailable" } });
      expect(answer.error.message).toBe("Storage is full. Writes fail until the operator frees space.");
      expect(answer.logged).toContain("database_full");
    },
  );

  it("A request that D1 fails for a permanent reason returns 500", async () => {
    const answer = await answerWhile("D1_ERROR: no such column: colour: SQLITE_ERROR");
    expect(answer).toMatchObject({ status: 500, retryAfter: null, error: { code: "internal_error" } });
  });
});
