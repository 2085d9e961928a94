import { describe, expect, it } from "vitest";
import { addSend, decideNextStep, NO_SENDS } from "../../src/features/campaigns/lease/lease-outcome.ts";
import type { CampaignSnapshot } from "../../src/features/campaigns/lease/claim-lease.sql.ts";
import type { MessageAttempt } from "../../src/features/messages/settle/settle-messages.ts";

type Outcome = MessageAttempt["outcome"];

const error = { code: "provider_rejected", message: "No.", providerCode: null } as const;
const accepted: Outcome = { kind: "accepted", providerMessageId: "p" };
const refused: Outcome = { kind: "refused", error };

const healthAfter = (outcomes: Outcome[], earlier = "") =>
  outcomes.reduce((health, outcome) => addSend(health, { outcome, isLast: false }, earlier), NO_SENDS);

describe("Results of a lease", () => {
  it("A lease's results contain one entry for each send that succeeded or failed, and the last failure", () => {
    const lost: Outcome = { kind: "lost", error: { ...error, code: "provider_unreachable" } };
    const skipped: Outcome = { kind: "skipped", reason: "archived" };
    expect(healthAfter([accepted, lost, skipped, refused, accepted])).toEqual({
      results: "0110",
      failure: "provider_rejected",
      stop: null,
    });
  });

  it("A lease's results stop the campaign after ten failures in a row, even if earlier leases had some of them", () => {
    expect(healthAfter([refused], "1".repeat(9)).stop).toBe("provider_rejected");
    expect(healthAfter([refused], "1".repeat(8)).stop).toBeNull();
    expect(healthAfter([accepted, refused], "1".repeat(9)).stop).toBeNull();
  });

  it("A lease's results stop the campaign if the provider rejects every message", () => {
    const outcome: Outcome = { ...refused, pauses: "campaign" };
    expect(healthAfter([accepted, outcome, accepted])).toEqual({
      results: "010",
      failure: "provider_rejected",
      stop: "provider_rejected",
    });
  });

  it.each([
    ["error", "connection_unavailable"],
    ["disconnected", "connection_unavailable"],
    ["active", null],
    [null, null],
  ] as const)(
    "If the provider reports the connection status %s, the lease stops its campaign with the reason %s",
    (status, stop) => {
      const notice = { status, detail: "" };
      expect(healthAfter([{ kind: "retry", error, notice }]).stop).toBe(stop);
      expect(healthAfter([{ ...refused, notice }]).stop).toBe(stop);
    },
  );

  it("A lease's results keep the first reason to stop the campaign", () => {
    const outcome: Outcome = { ...refused, pauses: "campaign", error: { ...error, code: "account_blocked" } };
    expect(healthAfter([outcome, { ...refused, pauses: "campaign" }]).stop).toBe("account_blocked");
  });
});

describe("After a lease", () => {
  const now = 1000;
  const snapshot: CampaignSnapshot = {
    status: "running",
    send_before: null,
    has_more: false,
    next_retry_at: null,
    template_status: "APPROVED",
    connection_status: "active",
    messages_per_second: 80,
  };
  const goesOn = { isExpired: false, pauseFor: null };

  it.each([
    [{ has_more: true }, "more"],
    [{ has_more: true, next_retry_at: now + 5 }, "more"],
    [{ next_retry_at: now }, "more"],
    [{ next_retry_at: now + 5 }, now + 5],
    [{}, "nothing"],
  ] as const)("If a running campaign has %j after a lease, its next step is %s", (fields, next) => {
    expect(decideNextStep({ ...snapshot, ...fields }, now)).toEqual({ ...goesOn, next });
  });

  it.each(["paused", "completed", "cancelled"])(
    "A campaign with the status %s sends nothing and does not change after a lease",
    (status) => {
      const nothing = { ...goesOn, next: "nothing" };
      expect(decideNextStep({ ...snapshot, status, has_more: true }, now)).toEqual(nothing);
      expect(decideNextStep({ ...snapshot, status, send_before: now }, now)).toEqual(nothing);
      expect(decideNextStep({ ...snapshot, status, connection_status: "error" }, now)).toEqual(nothing);
    },
  );

  it.each([
    [{ connection_status: "error" }, "connection_unavailable"],
    [{ connection_status: "deleted" }, "connection_unavailable"],
    [{ template_status: "PAUSED" }, "template_not_approved"],
    [{ template_status: null }, "template_not_approved"],
    [{ connection_status: "error", template_status: "PAUSED" }, "connection_unavailable"],
  ])("If a running campaign has %j after a lease, it pauses with the reason %s", (fields, pauseFor) => {
    expect(decideNextStep({ ...snapshot, has_more: true, ...fields }, now)).toEqual({
      isExpired: false,
      pauseFor,
      next: "nothing",
    });
  });

  it("A campaign completes instead of pausing if its send_before has passed", () => {
    const fields = { send_before: now, has_more: true, connection_status: "error" };
    expect(decideNextStep({ ...snapshot, ...fields }, now)).toEqual({
      isExpired: true,
      pauseFor: null,
      next: "nothing",
    });
    expect(decideNextStep({ ...snapshot, send_before: now + 1, has_more: true }, now)).toEqual({
      ...goesOn,
      next: "more",
    });
  });
});
