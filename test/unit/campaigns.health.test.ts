import { describe, expect, it } from "vitest";
import { messageErrorCodes } from "../../src/channels/channel.ts";
import {
  failureOf,
  hasRow,
  isMostlyFailing,
  markOf,
  rowBefore,
} from "../../src/features/campaigns/campaigns.health.ts";

const errorOf = (code: (typeof messageErrorCodes)[number]) => ({ code, message: "", providerCode: null });
const accepted = { kind: "accepted", providerMessageId: "p" } as const;
const lost = { kind: "lost", error: errorOf("provider_unreachable") } as const;

describe("a send counts against the campaign", () => {
  it.each([
    ["template_rejected", true],
    ["account_blocked", true],
    ["provider_rejected", true],
    ["provider_unreachable", true],
    ["rate_limited", true],
    ["invalid_recipient", false],
    ["undeliverable", false],
    ["window_closed", false],
    ["unsubscribed", false],
  ] as const)("where it was refused for %s: %s", (code, counts) => {
    const refused = { outcome: { kind: "refused", error: errorOf(code) }, isLast: false } as const;
    expect([markOf(refused), failureOf(refused)]).toEqual(counts ? ["1", code] : ["", null]);
  });

  it("where its answer was lost", () => {
    expect([markOf({ outcome: lost, isLast: false }), failureOf({ outcome: lost, isLast: false })]).toEqual([
      "1",
      "provider_unreachable",
    ]);
  });

  it("where its last attempt failed, not before", () => {
    const outcome = { kind: "retry", error: errorOf("rate_limited") } as const;
    expect([markOf({ outcome, isLast: false }), markOf({ outcome, isLast: true })]).toEqual(["", "1"]);
  });

  it("not where nothing was sent, and in its favour where the provider took it", () => {
    expect(markOf({ outcome: { kind: "held", until: 0 }, isLast: true })).toBe("");
    expect(markOf({ outcome: { kind: "skipped", reason: "archived" }, isLast: true })).toBe("");
    expect(markOf({ outcome: accepted, isLast: true })).toBe("0");
  });
});

describe("ten failures in a row", () => {
  it.each([
    ["", "1111111111", true],
    ["", "111111111", false],
    ["0111111111", "1", true],
    ["011111111", "1", false],
    ["", "0111111111100", true],
    ["11111", "011111", false],
    ["1111111111", "0", false],
    ["", "", false],
  ])("after %j, among %j: %s", (earlier, marks, expected) => {
    expect(hasRow(earlier, marks)).toBe(expected);
    expect(hasRow(rowBefore(earlier), marks)).toBe(expected);
  });
});

describe("more than half of the last hundred failed", () => {
  it.each([
    ["10".repeat(50), false],
    [`11${"10".repeat(49)}`, true],
    ["1".repeat(99), false],
    [`${"1".repeat(100)}${"0".repeat(50)}`, false],
    [`${"1".repeat(100)}${"0".repeat(49)}`, true],
  ])("%j: %s", (marks, expected) => {
    expect(isMostlyFailing(marks)).toBe(expected);
  });
});
