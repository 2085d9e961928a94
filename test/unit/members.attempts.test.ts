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

describe("passwords that may be compared", () => {
  it("are everybody's while nothing is spent, also for an email that nobody has", () => {
    expect(withSpent([])).toEqual(["usr_1", "usr_2", "usr_3"]);
    expect(withSpent([], [], null)).toEqual([]);
  });

  it("are those of the device and of who knows the network once the account is spent", () => {
    expect(withSpent(["account"])).toEqual(["usr_1", "usr_3"]);
    expect(withSpent(["account"], [own, other, near], null)).toEqual(["usr_3"]);
    expect(withSpent(["account", "device"])).toEqual(["usr_3"]);
  });

  it("are the device's own once the network is spent, and nobody's without one", () => {
    for (const spent of ["pair", "address"]) {
      expect(withSpent([spent])).toEqual(["usr_1"]);
      expect(withSpent([spent, "device"])).toBeNull();
      expect(withSpent([spent], [own, other, near], null)).toBeNull();
    }
    expect(withSpent(["account"], [other], null)).toBeNull();
  });

  it("are counted from narrow to wide", () => {
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
