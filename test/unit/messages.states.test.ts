import { describe, expect, it } from "vitest";
import { stateAfterGivenUp, state } from "../../src/features/messages/messages.states.ts";

describe("a settlement that comes after its claim was given up as unknown", () => {
  it("fails a message that would have been queued again, since a state never goes back", () => {
    expect(stateAfterGivenUp(state.queued)).toBe(state.failed);
  });

  it("leads otherwise to the state that it leads to in time", () => {
    for (const to of [state.sent, state.failed, state.delivered, state.read, state.skipped])
      expect(stateAfterGivenUp(to)).toBe(to);
  });

  it("leads to a state above unknown", () => {
    const isNoOutcome = new Set<number>([state.scheduled, state.claimed, state.unknown]);
    for (const to of Object.values(state).filter((each) => !isNoOutcome.has(each)))
      expect(stateAfterGivenUp(to)).toBeGreaterThan(state.unknown);
  });
});
