import { expect, it } from "vitest";
import { stepSize } from "../../src/features/contacts/bulk/step-size.ts";

it("A step of a job changes 250 contacts, or fewer if the changes are large, but at least one", () => {
  expect([0, 100, 4000, 100_000, 2_000_000].map(stepSize)).toEqual([250, 250, 250, 10, 1]);
});
