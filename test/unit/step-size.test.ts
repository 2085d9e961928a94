import { expect, it } from "vitest";
import { stepSize } from "../../src/features/contacts/bulk/step-size.ts";

it("A step of a bulk job changes 20 contacts, or fewer if the changes are large, but at least one", () => {
  expect([0, 100, 50_000, 100_000, 2_000_000].map(stepSize)).toEqual([20, 20, 20, 10, 1]);
});
