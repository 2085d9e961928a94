import { describe, expect, it } from "vitest";
import { stateAfterGivenUp, state } from "../../src/features/messages/messages.states.ts";

describe("Late settlements", () => {
  it("A settlement after its claim expired as unknown fails a message that would have been queued again, because a state never moves back", () => {
    expect(stateAfterGivenUp(state.queued)).toBe(state.failed);
  });

  it("A settlement after its claim expired as unknown otherwise sets the same state as a settlement in time", () => {
    for (const to of [state.sent, state.failed, state.delivered, state.read, state.skipped])
      expect(stateAfterGivenUp(to)).toBe(to);
  });

  it("A settlement after its claim expired as unknown sets a state above unknown", () => {
    const isNoOutcome = new Set<number>([state.scheduled, state.claimed, state.unknown]);
    for (const to of Object.values(state).filter((each) => !isNoOutcome.has(each)))
      expect(stateAfterGivenUp(to)).toBeGreaterThan(state.unknown);
  });
});
