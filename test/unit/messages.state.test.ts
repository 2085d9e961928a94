import { describe, expect, it } from "vitest";
import { lateState, state } from "../../src/features/messages/messages.states.ts";

describe("a settlement that comes after its claim was given up for unknown", () => {
  it("never takes a message back: one that was not taken fails in place of being queued again", () => {
    expect(lateState(state.queued)).toBe(state.failed);
  });

  it("tells otherwise what it would have told in time", () => {
    for (const to of [state.sent, state.failed, state.delivered, state.read, state.skipped])
      expect(lateState(to)).toBe(to);
  });

  it("ends at a state above unknown, whatever it told", () => {
    for (const to of Object.values(state).filter((each) => each !== state.unknown && each !== state.claimed))
      expect(lateState(to)).toBeGreaterThan(state.unknown);
  });
});
