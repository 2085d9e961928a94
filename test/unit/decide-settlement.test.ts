import { describe, expect, it } from "vitest";
import type { SendOutcome } from "../../src/channels/channel.ts";
import { state } from "../../src/features/messages/messages.states.ts";
import { type AttemptOutcome, decideSettlement } from "../../src/features/messages/settle/decide-settlement.ts";

const NOW = 1_000_000;
const error = { code: "rate_limited", message: "Too many.", providerCode: "429" } as const;

const decide = (outcome: AttemptOutcome, attempts = 1) =>
  decideSettlement({ attempts, outcome }, { now: NOW, random: () => 0.5 });

const onlyKnown = (settlement: ReturnType<typeof decide>) =>
  Object.fromEntries(Object.entries(settlement).filter(([, value]) => value !== null));

describe("Settlements", () => {
  it("A message is settled as sent with the provider's id if the provider accepted it", () => {
    const accepted: SendOutcome = { kind: "accepted", providerMessageId: "p-1", providerKey: "k-1" };
    expect(onlyKnown(decide(accepted))).toEqual({
      to: state.sent,
      below: state.sent,
      uncounted: 0,
      sentAt: NOW,
      providerMessageId: "p-1",
      providerKey: "k-1",
      storesKey: 1,
    });
  });

  it("A message is settled without a separate key if the provider returns our id; a report then needs the provider's id", () => {
    expect(decide({ kind: "accepted", providerMessageId: "p-1" })).toMatchObject({ providerKey: "p-1", storesKey: 0 });
  });

  it("A message is settled as failed if the provider rejected it, unless a delivery was reported", () => {
    expect(onlyKnown(decide({ kind: "refused", error }))).toEqual({
      to: state.failed,
      below: state.failed,
      uncounted: 0,
      storesKey: 0,
      failedAt: NOW,
      error,
    });
  });

  it("A message is settled as unknown without a retry if the response was lost", () => {
    expect(onlyKnown(decide({ kind: "lost", error }))).toEqual({
      to: state.unknown,
      below: state.unknown,
      uncounted: 0,
      storesKey: 0,
    });
  });

  it("A message is settled as skipped without a counted attempt if its campaign skipped it", () => {
    expect(onlyKnown(decide({ kind: "skipped", reason: "archived" }))).toEqual({
      to: state.skipped,
      below: state.sent,
      uncounted: 1,
      storesKey: 0,
      failedAt: NOW,
      error: { code: "archived", message: null, providerCode: null },
    });
  });

  it("A message is settled as queued without a counted attempt if no call was made", () => {
    expect(decide({ kind: "held", until: NOW + 5000 })).toMatchObject({
      to: state.queued,
      below: state.unknown,
      uncounted: 1,
      retryAt: NOW + 5000,
      error: null,
      late: { to: state.failed, failedAt: NOW, retryAt: null, error: { code: "provider_unreachable" } },
    });
  });
});

describe("Temporary rejections", () => {
  it("A message that the provider rejected temporarily is queued for its next attempt", () => {
    expect(decide({ kind: "retry", error }, 2)).toMatchObject({
      to: state.queued,
      below: state.unknown,
      uncounted: 0,
      storesKey: 0,
      retryAt: NOW + 4000,
      failedAt: null,
      error: null,
    });
  });

  it("A message that the provider rejected temporarily waits as long as the provider requests, if that is longer than the backoff", () => {
    expect(decide({ kind: "retry", error, afterMs: 60_000 }).retryAt).toBe(NOW + 60_000);
    expect(decide({ kind: "retry", error, afterMs: 10 }).retryAt).toBe(NOW + 1000);
  });

  it("A message that the provider rejected temporarily fails after its last attempt", () => {
    expect(decide({ kind: "retry", error }, 6)).toMatchObject({ to: state.failed, retryAt: null, error, late: null });
  });

  it("A message that the provider rejected temporarily fails if its claim had expired as unknown, because a state never moves back", () => {
    expect(decide({ kind: "retry", error }).late).toEqual({ to: state.failed, failedAt: NOW, retryAt: null, error });
  });
});

it("Only temporarily rejected messages have another settlement for late responses", () => {
  const taken: AttemptOutcome[] = [
    { kind: "accepted", providerMessageId: "p-1" },
    { kind: "refused", error },
    { kind: "lost", error },
    { kind: "skipped", reason: "archived" },
  ];
  expect(taken.map((outcome) => decide(outcome).late)).toEqual([null, null, null, null]);
});
