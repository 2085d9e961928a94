import { beforeEach, describe, expect, it } from "vitest";
import { state } from "../../../src/features/messages/messages.states.ts";
import type { MessageAttempt } from "../../../src/features/messages/settle/settle-messages.ts";
import { stopClock } from "../../support/clock.ts";
import {
  countAnew,
  countsOf,
  expand,
  phones,
  reportStatuses,
  sendLease,
  sentAs,
  settleLease,
  statesOf,
} from "../../support/recipients.ts";
import { countingWorld, onShard } from "../../support/storage.ts";
import { phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

const error = { code: "undeliverable", message: "No.", providerCode: "1" } as const;

const outcomes = {
  accepted: { kind: "accepted", providerMessageId: "p-1" },
  refused: { kind: "refused", error },
  lost: { kind: "lost", error },
  retry: { kind: "retry", error },
  held: { kind: "held", until: 0 },
  skipped: { kind: "skipped", reason: "archived" },
} satisfies Record<string, MessageAttempt["outcome"]>;

/** States of campaign messages. Only direct messages can be scheduled or cancelled one by one. */
const everyState = Object.values(state).filter((rank) => rank !== state.scheduled && rank !== state.cancelled);

describe("Settlements", () => {
  it.each([
    ["accepted", ["sent", "sent", "sent", "sent", "failed", "delivered", "read", "skipped"]],
    ["refused", ["failed", "failed", "failed", "failed", "failed", "delivered", "read", "skipped"]],
    ["lost", ["unknown", "unknown", "unknown", "sent", "failed", "delivered", "read", "skipped"]],
    ["retry", ["queued", "queued", "failed", "sent", "failed", "delivered", "read", "skipped"]],
    ["held", ["queued", "queued", "failed", "sent", "failed", "delivered", "read", "skipped"]],
    ["skipped", ["skipped", "skipped", "skipped", "sent", "failed", "delivered", "read", "skipped"]],
  ] as const)(
    "A campaign message that is settled as %s is counted once, whatever its previous state",
    async (kind, expected) => {
      const customer = await new World().customer();
      const campaign = await expand(customer, phones(everyState.length), everyState);
      await countAnew(customer, campaign);
      const settle = () => settleLease(customer, campaign.recipients, () => ({ outcome: outcomes[kind] }));
      await settle();
      expect(await statesOf(customer, campaign)).toEqual(expected);
      const counts = await countsOf(customer, campaign);
      for (let copy = 0; copy < 2; copy++) await settle();
      expect(await countsOf(customer, campaign)).toEqual(counts);
    },
  );

  it("A settlement of messages from different campaigns is counted for each campaign", async () => {
    const customer = await new World().customer();
    const { message_id } = (await customer.send(phoneEnding("0004"))).body;
    const [one, other] = [await expand(customer, phones(3)), await expand(customer, phones(2))];
    const rows = () => onShard(customer, "SELECT count(*) AS n FROM tallies");
    const before = Number((await rows())[0]?.["n"]);
    const direct = { id: message_id, contactSeq: 0, phone: "" };
    await settleLease(customer, [...one.recipients, direct, ...other.recipients], (_, index) => ({
      outcome: index % 2 === 0 ? outcomes.accepted : outcomes.refused,
    }));
    expect(await countsOf(customer, one)).toEqual({ sent: 2, failed: 1 });
    expect(await countsOf(customer, other)).toEqual({ sent: 1, failed: 1 });
    expect(await rows()).toEqual([{ n: before + 2 }]);
  });

  it("A settlement does not change the counts of another workspace's campaigns", async () => {
    const world = new World();
    const [owner, , stranger] = [await world.customer(), await world.customer(), await world.customer()];
    const campaign = await expand(owner, phones(2));
    await settleLease(stranger, campaign.recipients, () => ({ outcome: outcomes.accepted }));
    expect(await statesOf(owner, campaign)).toEqual(["queued", "queued"]);
    expect(await countsOf(owner, campaign)).toEqual({});
  });
});

describe("Statuses", () => {
  it.each([
    ["sent", ["sent", "sent", "sent", "sent", "failed", "delivered", "read", "skipped"]],
    ["failed", ["failed", "failed", "failed", "failed", "failed", "delivered", "read", "skipped"]],
    ["delivered", ["delivered", "delivered", "delivered", "delivered", "delivered", "delivered", "read", "skipped"]],
    ["read", ["read", "read", "read", "read", "read", "read", "read", "skipped"]],
  ] as const)(
    "The status %s of a campaign message is counted once, whatever the message's previous state",
    async (status, expected) => {
      const customer = await new World().customer();
      const campaign = await expand(customer, phones(everyState.length), everyState);
      await countAnew(customer, campaign);
      for (let copy = 0; copy < 3; copy++) {
        await reportStatuses(
          customer,
          campaign.recipients.map(({ id }) => ({ id, status })),
        );
        expect(await statesOf(customer, campaign)).toEqual(expected);
        await countsOf(customer, campaign);
      }
    },
  );

  it("Applying a hundred statuses of campaign messages takes three statements, and a repeat writes nothing", async () => {
    const { world, counted } = countingWorld();
    const customer = await world.customer();
    const campaign = await expand(customer, phones(100));
    await settleLease(customer, campaign.recipients, () => ({ outcome: outcomes.accepted }));
    const deliver = async () => {
      const before = counted();
      await reportStatuses(
        customer,
        campaign.recipients.map(({ id }) => ({ id, status: "delivered" })),
      );
      const after = counted();
      return {
        statements: (after["statements"] ?? 0) - (before["statements"] ?? 0) - 1,
        rowsWritten: (after["rows_written"] ?? 0) - (before["rows_written"] ?? 0),
      };
    };
    expect(await deliver()).toEqual({ statements: 3, rowsWritten: 102 });
    expect(await deliver()).toEqual({ statements: 3, rowsWritten: 0 });
    expect(await countsOf(customer, campaign)).toEqual({ delivered: 100 });
  });

  it("A campaign message is counted once, even if its statuses contain both our id and the provider's id", async () => {
    const customer = await new World().customer();
    const campaign = await expand(customer, phones(1));
    const outcome = { ...outcomes.accepted, providerKey: "key" };
    await settleLease(customer, campaign.recipients, () => ({ outcome }));
    const id = campaign.recipients[0]?.id ?? "";
    await reportStatuses(customer, [
      { id, status: "delivered" },
      { id, status: "read", key: "key" },
    ]);
    expect(await countsOf(customer, campaign)).toEqual({ read: 1 });
  });

  it("A campaign message that waits for a retry is not sent again if a status reports that it was sent", async () => {
    const customer = await new World().customer();
    const campaign = await expand(customer, phones(1));
    await settleLease(customer, campaign.recipients, () => ({ outcome: outcomes.retry }));
    await reportStatuses(
      customer,
      campaign.recipients.map(({ id }) => ({ id, status: "sent" })),
    );
    const [row] = await onShard(customer, "SELECT retry_at FROM messages WHERE campaign_id = ?", campaign.id);
    expect([row, await countsOf(customer, campaign)]).toEqual([{ retry_at: null }, { sent: 1 }]);
  });
});

/** Returns the same order for the same seed. */
function shuffled<T>(items: T[], seed: number): T[] {
  let last = seed;
  const random = () => (last = (last * 48_271) % 2_147_483_647);
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

describe("Counts", () => {
  it.each([1, 2, 3])(
    "A campaign's counts are correct if settlements and statuses arrive in any order and repeatedly (order %i)",
    async (seed) => {
      const customer = await new World().customer();
      const campaign = await expand(customer, phones(40));
      const fates = campaign.recipients.map((_, index) => index % 8);
      const statuses = campaign.recipients.flatMap(({ id }, index) =>
        (["sent", "delivered", "read", "failed"] as const)
          .filter((_status, at) => ((fates[index] ?? 0) >> (at % 3)) % 2 === 1)
          .map((status) => ({ id, status })),
      );
      const kinds = Object.values(outcomes);
      const settle = () =>
        settleLease(customer, campaign.recipients, (recipient, index) => ({
          outcome: kinds[index % kinds.length] ?? outcomes.lost,
          sent: sentAs(recipient),
        }));
      const doings = shuffled(
        [
          settle,
          settle,
          ...Array.from({ length: 6 }, (_, part) => () => {
            const some = shuffled([...statuses, ...statuses], seed + part);
            return reportStatuses(customer, some.slice(part * 10, part * 10 + 60));
          }),
        ],
        seed,
      );
      for (const doing of doings) {
        await doing();
        await countsOf(customer, campaign);
      }
      await reportStatuses(customer, statuses);
      const counts = await countsOf(customer, campaign);
      expect(counts["read"]).toBeGreaterThan(5);
      expect(Object.values(counts).reduce((sum, count) => sum + count)).toBeGreaterThan(30);
    },
  );

  it("A campaign's counts are correct for every special sandbox number if each queue message is delivered twice", async () => {
    const customer = await new World().customer();
    const endings = ["1234", "1234", "0001", "0002", "0003", "0004", "0005", "0007"];
    const campaign = await expand(customer, endings.map(phoneEnding));
    await sendLease(customer, campaign.recipients);
    expect(await countsOf(customer, campaign)).toEqual({ sent: 4, failed: 1, unknown: 1 });
    await customer.world.settle({ copies: 2 });
    expect(await countsOf(customer, campaign)).toEqual({ sent: 1, failed: 1, read: 4 });
  });

  it("The sweep of direct messages does not change campaign messages that are being sent", async () => {
    const customer = await new World().customer();
    const campaign = await expand(customer, phones(2), [state.claimed]);
    await onShard(customer, "UPDATE messages SET claimed_at = 1, retry_at = 1 WHERE campaign_id = ?", campaign.id);
    customer.world.advance(3_600_000);
    await customer.world.cron();
    expect(await statesOf(customer, campaign)).toEqual(["claimed", "claimed"]);
  });
});
