import { describe, expect, it } from "vitest";
import { lastOptOutLiftedBy } from "../../src/features/contacts/opt-outs/latest-choice.ts";

const NOON = Date.UTC(2026, 0, 1, 12);

describe("START", () => {
  it("A START lifts a STOP of the same second, because people send the STOP first", () => {
    expect(lastOptOutLiftedBy(NOON, "suppressions")).toBeGreaterThanOrEqual(NOON + 999);
  });

  it("A START does not lift a STOP of a later second", () => {
    expect(lastOptOutLiftedBy(NOON, "suppressions")).toBeLessThan(NOON + 1000);
  });
});

it("A marketing choice does not lift its own opt-out of the same time", () => {
  expect(lastOptOutLiftedBy(NOON, "marketing_suppressions")).toBeLessThan(NOON);
});
