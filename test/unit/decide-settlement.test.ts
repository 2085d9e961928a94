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
  it("An accepted message is settled as sent, with the provider's id", () => {
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

  it("If a provider accepts a message without a separate key, the key is the provider's message id, and is not stored", () => {
    expect(decide({ kind: "accepted", providerMessageId: "p-1" })).toMatchObject({ providerKey: "p-1", storesKey: 0 });
  });

  it("A rejected message is settled as failed, unless the provider has reported its delivery", () => {
    expect(onlyKnown(decide({ kind: "refused", error }))).toEqual({
      to: state.failed,
      below: state.failed,
      uncounted: 0,
      storesKey: 0,
      failedAt: NOW,
      error,
    });
  });

  it("A message is settled as unknown, without a retry, if the response was lost", () => {
    expect(onlyKnown(decide({ kind: "lost", error }))).toEqual({
      to: state.unknown,
      below: state.unknown,
      uncounted: 0,
      storesKey: 0,
    });
  });

  it("A message that its campaign skipped is settled as skipped, and does not count as an attempt", () => {
    expect(onlyKnown(decide({ kind: "skipped", reason: "archived" }))).toEqual({
      to: state.skipped,
      below: state.sent,
      uncounted: 1,
      storesKey: 0,
      failedAt: NOW,
      error: { code: "archived", message: null, providerCode: null },
    });
  });

  it("A message that is held back before its call to the provider is queued again, and does not count as an attempt", () => {
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
  it("A temporarily rejected message is queued for its next attempt", () => {
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

  it("A temporarily rejected message waits as long as the provider requests, if that is longer than the backoff", () => {
    expect(decide({ kind: "retry", error, afterMs: 60_000 }).retryAt).toBe(NOW + 60_000);
    expect(decide({ kind: "retry", error, afterMs: 10 }).retryAt).toBe(NOW + 1000);
  });

  it("A temporarily rejected message fails after its last attempt", () => {
    expect(decide({ kind: "retry", error }, 6)).toMatchObject({ to: state.failed, retryAt: null, error, late: null });
  });

  it("A temporarily rejected message fails if its claim has expired, because a message never changes from `unknown` to `queued`", () => {
    expect(decide({ kind: "retry", error }).late).toEqual({ to: state.failed, failedAt: NOW, retryAt: null, error });
  });
});

it("Only temporarily rejected messages are settled differently after their claim has expired", () => {
  const taken: AttemptOutcome[] = [
    { kind: "accepted", providerMessageId: "p-1" },
    { kind: "refused", error },
    { kind: "lost", error },
    { kind: "skipped", reason: "archived" },
  ];
  expect(taken.map((outcome) => decide(outcome).late)).toEqual([null, null, null, null]);
});
