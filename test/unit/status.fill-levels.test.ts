import { expect, test } from "vitest";
import { fillStep } from "../../src/features/status/status.fill-levels.ts";

test.each([
  [0, null],
  [4_999_999_999, null],
  [5_000_000_000, 50],
  [6_999_999_999, 50],
  [7_000_000_000, 70],
  [8_500_000_000, 85],
  [10_000_000_000, 85],
])("A database of %d bytes has reached the fill level of %j percent", (bytes, step) => {
  expect(fillStep(bytes)).toBe(step);
});
