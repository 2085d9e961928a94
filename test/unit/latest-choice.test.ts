import { describe, expect, it } from "vitest";
import { lastOptOutLiftedBy } from "../../src/features/contacts/opt-outs/latest-choice.ts";

const NOON = Date.UTC(2026, 0, 1, 12);

describe("START", () => {
  it("If a STOP and a START arrive in the same second, the START applies, because people send the STOP first", () => {
    expect(lastOptOutLiftedBy(NOON, "suppressions")).toBeGreaterThanOrEqual(NOON + 999);
  });

  it("If a STOP arrives a second after a START, the STOP applies", () => {
    expect(lastOptOutLiftedBy(NOON, "suppressions")).toBeLessThan(NOON + 1000);
  });
});

it("A marketing choice does not lift a marketing opt-out that is stored with the same time", () => {
  expect(lastOptOutLiftedBy(NOON, "marketing_suppressions")).toBeLessThan(NOON);
});
