import { describe, expect, it } from "vitest";
import { ATTEMPT_LIMITS, comparableUsers, counterChainsFor } from "../../src/features/members/members.attempts.ts";

const device = { id: "d1", userId: "usr_1" };
const [own, other] = [
  { id: "usr_1", knowsNetwork: false },
  { id: "usr_2", knowsNetwork: false },
];
const near = { id: "usr_3", knowsNetwork: true };

const withSpent = (spent: string[], candidates = [own, other, near], at: typeof device | null = device) =>
  comparableUsers(candidates, counterChainsFor("ada@example.com", "192.0.2.1", at), at, ({ key }) =>
    spent.includes(key.split(" ")[0] ?? ""),
  )?.map(({ id }) => id) ?? null;

describe("Password comparisons", () => {
  it("Before any limit is reached, a sign-in compares the passwords of all users with the email, and is not blocked if there are none", () => {
    expect(withSpent([])).toEqual(["usr_1", "usr_2", "usr_3"]);
    expect(withSpent([], [], null)).toEqual([]);
  });

  it("After too many attempts for an email, a sign-in compares only the passwords of users who know the device or network", () => {
    expect(withSpent(["account"])).toEqual(["usr_1", "usr_3"]);
    expect(withSpent(["account"], [own, other, near], null)).toEqual(["usr_3"]);
    expect(withSpent(["account", "device"])).toEqual(["usr_3"]);
  });

  it("After too many attempts from a network, a sign-in compares only the password of the device's user", () => {
    for (const spent of ["pair", "address"]) {
      expect(withSpent([spent])).toEqual(["usr_1"]);
      expect(withSpent([spent, "device"])).toBeNull();
      expect(withSpent([spent], [own, other, near], null)).toBeNull();
    }
    expect(withSpent(["account"], [other], null)).toBeNull();
  });

  it("A sign-in attempt counts first for the email in its network, then for the network, and then for the account", () => {
    const { device: ofDevice, known, open } = counterChainsFor("ada@example.com", "192.0.2.1", device);
    expect(open).toEqual([
      { key: "pair ada@example.com 192.0.2.1", limit: ATTEMPT_LIMITS.pair },
      { key: "address 192.0.2.1", limit: ATTEMPT_LIMITS.network },
      { key: "account ada@example.com", limit: ATTEMPT_LIMITS.account },
    ]);
    expect(known).toEqual(open.slice(0, 2));
    expect(ofDevice).toEqual([{ key: "device d1", limit: ATTEMPT_LIMITS.device }]);
  });
});
