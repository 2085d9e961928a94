import { describe, expect, it } from "vitest";
import { messageErrorCodes } from "../../src/channels/channel-events.ts";
import {
  countedFailure,
  hasFailureRun,
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
  ] as const)("If an attempt is rejected with %s, it counts as a failure of the campaign: %s", (code, counts) => {
    const refused = { outcome: { kind: "refused", error: errorOf(code) }, isLast: false } as const;
    expect([resultDigit(refused), countedFailure(refused)]).toEqual(counts ? ["1", code] : ["", null]);
  });

  it("An attempt counts as a failure of the campaign if its response was lost", () => {
    expect([resultDigit({ outcome: lost, isLast: false }), countedFailure({ outcome: lost, isLast: false })]).toEqual([
      "1",
      "provider_unreachable",
    ]);
  });

  it("An attempt counts as a failure of the campaign only if it was the last attempt of its message", () => {
    const outcome = { kind: "retry", error: errorOf("rate_limited") } as const;
    expect([resultDigit({ outcome, isLast: false }), resultDigit({ outcome, isLast: true })]).toEqual(["", "1"]);
  });

  it("An attempt without a call does not count as a failure of the campaign, and an accepted attempt counts as a success", () => {
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
  ])("The results %j followed by the results %j contain ten failures in a row: %s", (earlier, results, expected) => {
    expect(hasFailureRun(earlier, results)).toBe(expected);
    expect(hasFailureRun(resultsBefore(earlier), results)).toBe(expected);
  });
});
