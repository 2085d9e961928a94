import { describe, expect, it } from "vitest";
import { stateAfterGivenUp, state } from "../../src/features/messages/messages.states.ts";

describe("Late settlements", () => {
  it("If a message's claim expired before the settlement, the message fails instead of being queued again", () => {
    expect(stateAfterGivenUp(state.queued)).toBe(state.failed);
  });

  it("If a message's claim expired before the settlement, every outcome except queued sets its usual state", () => {
    for (const to of [state.sent, state.failed, state.delivered, state.read, state.skipped])
      expect(stateAfterGivenUp(to)).toBe(to);
  });

  it("If a message's claim expired before the settlement, the settlement sets only states that can follow `unknown`", () => {
    const isNoOutcome = new Set<number>([state.scheduled, state.claimed, state.unknown]);
    for (const to of Object.values(state).filter((each) => !isNoOutcome.has(each)))
      expect(stateAfterGivenUp(to)).toBeGreaterThan(state.unknown);
  });
});
