import { expect, it } from "vitest";
import { PASSWORD_COST } from "../../src/features/members/members.password-cost.ts";

it("hashes passwords at the cost that OWASP names for scrypt with 16 MB", () => {
  expect(PASSWORD_COST).toEqual({ N: 16_384, r: 8, p: 5 });
});
