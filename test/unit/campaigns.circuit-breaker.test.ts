import { describe, expect, it } from "vitest";
import { messageErrorCodes } from "../../src/channels/channel-events.ts";
import {
  countedFailure,
  hasFailureRun,
  isMostlyFailing,
  pauseReason,
  resultDigit,
  resultsBefore,
} from "../../src/features/campaigns/campaigns.circuit-breaker.ts";

const errorOf = (code: (typeof messageErrorCodes)[number]) => ({ code, message: "", providerCode: null });
const accepted = { kind: "accepted", providerMessageId: "p" } as const;
const lost = { kind: "lost", error: errorOf("provider_unreachable") } as const;

describe("Failures of a campaign", () => {
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
  ] as const)("An attempt counts as a failure of the campaign if it was rejected for %s: %s", (code, counts) => {
    const refused = { outcome: { kind: "refused", error: errorOf(code) }, isLast: false } as const;
    expect([resultDigit(refused), countedFailure(refused)]).toEqual(counts ? ["1", code] : ["", null]);
  });

  it("An attempt counts as a failure of the campaign if its response was lost", () => {
    expect([resultDigit({ outcome: lost, isLast: false }), countedFailure({ outcome: lost, isLast: false })]).toEqual([
      "1",
      "provider_unreachable",
    ]);
  });

  it("An attempt counts as a failure of the campaign if it was the last attempt of its message, not before", () => {
    const outcome = { kind: "retry", error: errorOf("rate_limited") } as const;
    expect([resultDigit({ outcome, isLast: false }), resultDigit({ outcome, isLast: true })]).toEqual(["", "1"]);
  });

  it("An attempt without a send is not a failure of the campaign, and an accepted attempt is a success", () => {
    expect(resultDigit({ outcome: { kind: "held", until: 0 }, isLast: true })).toBe("");
    expect(resultDigit({ outcome: { kind: "skipped", reason: "archived" }, isLast: true })).toBe("");
    expect(resultDigit({ outcome: accepted, isLast: true })).toBe("0");
  });
});

describe("Failures in a row", () => {
  it.each([
    ["", "1111111111", true],
    ["", "111111111", false],
    ["0111111111", "1", true],
    ["011111111", "1", false],
    ["", "0111111111100", true],
    ["11111", "011111", false],
    ["1111111111", "0", false],
    ["", "", false],
  ])("Ten failures in a row are found after the results %j, among the results %j: %s", (earlier, results, expected) => {
    expect(hasFailureRun(earlier, results)).toBe(expected);
    expect(hasFailureRun(resultsBefore(earlier), results)).toBe(expected);
  });
});

describe("Share of failures", () => {
  it.each([
    ["10".repeat(50), false],
    [`11${"10".repeat(49)}`, true],
    ["1".repeat(99), false],
    [`${"1".repeat(100)}${"0".repeat(50)}`, false],
    [`${"1".repeat(100)}${"0".repeat(49)}`, true],
  ])("More than half of the last hundred sends failed for the results %j: %s", (results, expected) => {
    expect(isMostlyFailing(results)).toBe(expected);
  });
});

describe("Automatic pauses", () => {
  const ten = "1".repeat(10);
  const failed = { results: ten, failure: "provider_rejected", stop: null } as const;

  it("A campaign pauses for the reason that stopped a lease, whatever its results are", () => {
    const health = { ...failed, stop: "connection_unavailable" };
    expect(pauseReason("", health)).toBe("connection_unavailable");
    expect(pauseReason("", { results: "0", failure: null, stop: "account_blocked" })).toBe("account_blocked");
  });

  it("A campaign pauses for the last of ten failures in a row, even if too many sends failed", () => {
    expect(pauseReason("", failed)).toBe("provider_rejected");
    expect(pauseReason("1".repeat(100), failed)).toBe("provider_rejected");
  });

  it("A campaign pauses for too many failures among its last hundred sends", () => {
    const mixed = "1101".repeat(25);
    expect(pauseReason(mixed.slice(4), { ...failed, results: "1101" })).toBe("too_many_failures");
    expect(pauseReason(mixed.slice(8), { ...failed, results: "1101" })).toBeNull();
  });
});
