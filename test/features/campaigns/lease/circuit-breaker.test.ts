import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SendOutcome } from "../../../../src/channels/channel.ts";
import type { MessageErrorCode } from "../../../../src/channels/channel-events.ts";
import { sandbox } from "../../../../src/channels/sandbox/sandbox.ts";
import { hasFailureRun } from "../../../../src/features/campaigns/campaigns.circuit-breaker.ts";
import { stopClock } from "../../../support/clock.ts";
import { addPeople, campaign, change, customerWith, differences, started } from "../../../support/campaigns.ts";
import { Chance } from "../../../support/faults/chance.ts";
import { sampleAndRest } from "../../../support/long.ts";
import { isMostlyFailing } from "../../../support/pause-rules.ts";
import { type Customer, World } from "../../../support/world.ts";

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

const refused = (code: MessageErrorCode): SendOutcome => ({
  kind: "refused",
  error: { code, message: "No.", providerCode: "1" },
});
const lost: SendOutcome = {
  kind: "lost",
  error: { code: "provider_unreachable", message: "No answer.", providerCode: null },
};
const accepted: SendOutcome = { kind: "accepted", providerMessageId: "p" };

/** Makes the provider return these outcomes in order, and then accept all sends. */
const answers = (outcomes: Iterable<SendOutcome>) => {
  const rest = outcomes[Symbol.iterator]();
  return vi.spyOn(sandbox, "send").mockImplementation(async () => rest.next().value ?? accepted);
};

const ofTheCampaign = [
  "template_rejected",
  "account_blocked",
  "provider_rejected",
  "provider_unreachable",
  "rate_limited",
] as const;
const ofOneRecipient = ["invalid_recipient", "undeliverable", "window_closed", "unsubscribed"] as const;
const isFirst = (_: unknown, index: number) => index === 0;

const times = (count: number, outcome: SendOutcome) => Array.from({ length: count }, () => outcome);

/** A customer whose connection sends one message per lease. */
async function slowCustomer(people: number): Promise<{ world: World; customer: Customer }> {
  const world = new World();
  const customer = await world.customer();
  await customer.manage("PATCH", `/connections/${customer.connectionId}`, { messages_per_second: 1 });
  await addPeople(customer, people);
  return { world, customer };
}

describe("Pauses after consecutive failures", () => {
  async function expectPausedBy(code: MessageErrorCode): Promise<void> {
    const { world, customer } = await customerWith(40);
    const send = answers(times(40, refused(code)));
    const id = await started(customer);
    await world.settle();
    const paused = await campaign(customer, id);
    expect(paused).toMatchObject({ status: "paused", last_error: code });
    // After the tenth failure, only calls that had already begun can still fail.
    expect(paused.counts.failed).toBeGreaterThanOrEqual(10);
    expect(paused.counts.failed).toBe(send.mock.calls.length);
    expect(paused.counts.failed).toBeLessThan(40);
    expect(paused.counts.pending).toBe(40 - paused.counts.failed);
    expect(await differences(customer, id)).toEqual({});
  }

  describe.each(sampleAndRest(ofTheCampaign, isFirst))("Reasons that count ($which)", ({ some, options }) => {
    it.each(some)(
      "Ten consecutive failures because of %s pause a campaign, and its `last_error` contains the last failure",
      options,
      (code) => expectPausedBy(code),
    );
  });

  it(
    "A campaign counts consecutive failures across its leases, and a resume resets the count",
    { tags: "long" },
    async () => {
      const { world, customer } = await slowCustomer(24);
      const send = answers(times(20, lost));
      const id = await started(customer);
      await world.settle();
      expect(await campaign(customer, id)).toMatchObject({
        status: "paused",
        last_error: "provider_unreachable",
        counts: { unknown: 10, pending: 14 },
      });
      expect(send).toHaveBeenCalledTimes(10);
      await change(customer, id, "resume");
      await world.settle();
      expect(await campaign(customer, id)).toMatchObject({ status: "paused", counts: { unknown: 20, pending: 4 } });
      await change(customer, id, "resume");
      await world.settle();
      expect(await campaign(customer, id)).toMatchObject({
        status: "completed",
        last_error: null,
        counts: { unknown: 20, sent: 4, pending: 0 },
      });
    },
  );

  it("A sent message resets a campaign's count of consecutive failures", { tags: "long" }, async () => {
    const { world, customer } = await slowCustomer(22);
    answers([...times(9, lost), accepted, ...times(9, refused("template_rejected")), accepted]);
    const id = await started(customer);
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({
      status: "completed",
      counts: { unknown: 9, failed: 9, sent: 4 },
    });
  });

  async function expectNotCounted(code: MessageErrorCode): Promise<void> {
    const { world, customer } = await slowCustomer(18);
    answers([...times(3, refused(code)), ...times(9, lost), ...times(3, refused(code)), ...times(3, lost)]);
    const id = await started(customer);
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({
      status: "paused",
      last_error: "provider_unreachable",
      counts: { unknown: 10, failed: 6, pending: 2 },
    });
  }

  describe.each(sampleAndRest(ofOneRecipient, isFirst))("Reasons that do not count ($which)", ({ some, options }) => {
    it.each(some)(
      "A failure because of %s neither adds to the count of consecutive failures nor resets it",
      options,
      (code) => expectNotCounted(code),
    );
  });

  it("A campaign does not pause if all its numbers are wrong", async () => {
    const { world, customer } = await customerWith(110);
    answers(times(110, refused("invalid_recipient")));
    const id = await started(customer);
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({
      status: "completed",
      last_error: null,
      counts: { failed: 110 },
    });
  });

  it("A campaign without unsent messages completes after ten consecutive failures, and `last_error` contains the failure", async () => {
    const { world, customer } = await slowCustomer(10);
    answers(times(10, lost));
    const id = await started(customer);
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({
      status: "completed",
      last_error: "provider_unreachable",
      counts: { unknown: 10, pending: 0 },
    });
  });
});

describe("Intermittent failures", () => {
  it("A campaign pauses if more than half of its last hundred sends failed", async () => {
    const { world, customer } = await customerWith(200);
    const pattern = Array.from({ length: 200 }, (_, index) => (index % 3 === 0 ? accepted : lost));
    const send = answers(pattern);
    const id = await started(customer);
    await world.settle();
    const paused = await campaign(customer, id);
    expect(paused).toMatchObject({ status: "paused", last_error: "too_many_failures" });
    expect(send.mock.calls.length).toBeGreaterThanOrEqual(100);
    expect(send.mock.calls.length).toBeLessThan(200);
  });

  it.each([1, 2, 3])(
    "A campaign with one send per lease pauses exactly at the send that exceeds a limit of failures (seed %i)",
    { tags: "long" },
    async (seed) => {
      const chance = new Chance(seed);
      const { world, customer } = await slowCustomer(125);
      const share = [0.45, 0.6, 0.7][seed - 1] ?? 0;
      const outcomes = Array.from({ length: 125 }, (_, index) => {
        if (chance.happens(share, "lost", index)) return lost;
        return chance.happens(0.2, "person", index) ? refused("undeliverable") : accepted;
      });
      const mark = ({ kind }: SendOutcome) => (kind === "lost" ? "1" : kind === "accepted" ? "0" : "");
      const marksUntil = (count: number) => outcomes.slice(0, count).map(mark).join("");
      const counts = Array.from({ length: 125 }, (_, index) => index + 1);
      const last = counts.find((count) => hasFailureRun("", marksUntil(count)) || isMostlyFailing(marksUntil(count)));
      const send = answers(outcomes);
      const id = await started(customer);
      await world.settle();
      expect(send).toHaveBeenCalledTimes(last ?? 125);
      expect((await campaign(customer, id)).status).toBe(last === undefined ? "completed" : "paused");
    },
  );
});
