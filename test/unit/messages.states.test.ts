import { describe, expect, it } from "vitest";
import { stateAfterGivenUp, state } from "../../src/features/messages/messages.states.ts";

describe("Late settlements", () => {
  it("If a claim expired before its settlement, a message that would be queued again fails instead", () => {
    expect(stateAfterGivenUp(state.queued)).toBe(state.failed);
  });

  it("If a claim expired before its settlement, any other outcome sets the same state as without the expiry", () => {
    for (const to of [state.sent, state.failed, state.delivered, state.read, state.skipped])
      expect(stateAfterGivenUp(to)).toBe(to);
  });

  it("If a claim expired before its settlement, the settlement sets only states that may follow `unknown`", () => {
    const isNoOutcome = new Set<number>([state.scheduled, state.claimed, state.unknown]);
    for (const to of Object.values(state).filter((each) => !isNoOutcome.has(each)))
      expect(stateAfterGivenUp(to)).toBeGreaterThan(state.unknown);
  });
});
