import { beforeEach, describe, expect, it } from "vitest";
import { state } from "../../../../src/features/messages/messages.states.ts";
import type { MessageAttempt } from "../../../../src/features/messages/settle/settle-messages.ts";
import { stopClock } from "../../../support/clock.ts";
import { recordedWorld } from "../../../support/recording.ts";
import {
  countsOf,
  expand,
  phones,
  type Recipient,
  rowOf,
  sendLease,
  sentAs,
  settleLease,
  statesOf,
} from "../../../support/recipients.ts";
import { countingWorld, onShard } from "../../../support/storage.ts";
import { type Customer, World } from "../../../support/world.ts";

beforeEach(stopClock);

const error = { code: "provider_unreachable", message: "Busy.", providerCode: "2" } as const;
const retry: MessageAttempt["outcome"] = { kind: "retry", error };
const lost: MessageAttempt["outcome"] = { kind: "lost", error };

const accepted = (key: string) => ({ kind: "accepted", providerMessageId: key, providerKey: key }) as const;
const plain = { kind: "accepted", providerMessageId: "p" } as const;

const keyOf = async (customer: Customer, recipient: Recipient | undefined) =>
  (await rowOf(customer, recipient?.id ?? ""))?.["provider_key"];

/** Claims like a retry. */
const claimAgain = (customer: Customer, campaignId: string) =>
  onShard(
    customer,
    "UPDATE messages SET state = 1, attempts = attempts + 1 WHERE campaign_id = ? AND retry_at IS NOT NULL",
    campaignId,
  );

describe("Settlements of leases", () => {
  it.each([
    ["without keys of the provider", () => plain, 102],
    ["with keys of the provider", (_: Recipient, index: number) => accepted(`key-${index}`), 202],
    ["that wait for a retry", () => retry, 200],
    ["that are skipped", () => ({ kind: "skipped", reason: "expired" }) as const, 102],
  ] as const)(
    "Settling a hundred messages %s writes one row and its index entries per message, plus two rows, and a repeat writes nothing",
    async (_, outcomeFor, rows) => {
      const { world, counted } = countingWorld();
      const customer = await world.customer();
      const { recipients } = await expand(customer, phones(100));
      const settle = async () => {
        const before = counted()["rows_written"] ?? 0;
        await settleLease(customer, recipients, (recipient, index) => ({
          outcome: outcomeFor(recipient, index),
          sent: sentAs(recipient),
        }));
        return (counted()["rows_written"] ?? 0) - before;
      };
      expect(await settle()).toBe(rows);
      expect(await settle()).toBe(0);
    },
  );

  it("The settlement of a hundred messages takes one round trip with parameters under 2 MB, even if the texts are long", async () => {
    const { world, recording } = recordedWorld();
    const customer = await world.customer();
    const campaign = await expand(customer, phones(100));
    recording.take();
    const long = "\u0001".repeat(4096);
    await settleLease(customer, campaign.recipients, (recipient) => ({
      outcome: plain,
      sent: sentAs(recipient, long),
    }));
    const ran = recording.take().filter(({ sql }) => sql.includes("messages"));
    expect(new Set(ran.map(({ trip }) => trip)).size).toBe(1);
    const bytes = ran.flatMap(({ values }) => values.map((value) => new TextEncoder().encode(String(value)).length));
    expect(Math.max(...bytes)).toBeLessThan(2_000_000);
    expect(await countsOf(customer, campaign)).toEqual({ sent: 100 });
    expect(await rowOf(customer, campaign.recipients[99]?.id ?? "")).toMatchObject({ body: long });
  });
});

describe("Stored messages", () => {
  const sent = { address: "+14155550199", body: "Hi Ada", templateForm: '{"name":"hi"}' };
  const stored = { address: sent.address, body: sent.body, template_form: sent.templateForm };

  it.each([
    ["was accepted", plain],
    ["might have been accepted", lost],
    ["was rejected", { kind: "refused", error }],
  ] as const)("The text and the address of a campaign message are stored if the message %s", async (_, outcome) => {
    const customer = await new World().customer();
    const { recipients } = await expand(customer, phones(1));
    await settleLease(customer, recipients, () => ({ outcome, sent }));
    expect(await rowOf(customer, recipients[0]?.id ?? "")).toMatchObject({ ...stored, attempts: 1, retry_at: null });
  });

  it.each([
    ["a status", state.delivered, "delivered"],
    ["the sweep", state.unknown, "unknown"],
  ] as const)(
    "The text and the address of a campaign message with a lost response are stored, even if %s settled the message first",
    async (_, came, stays) => {
      const customer = await new World().customer();
      const campaign = await expand(customer, phones(1), [came]);
      await settleLease(customer, campaign.recipients, () => ({ outcome: lost, sent }));
      expect(await rowOf(customer, campaign.recipients[0]?.id ?? "")).toMatchObject(stored);
      expect(await statesOf(customer, campaign)).toEqual([stays]);
    },
  );

  it("Settling a campaign message stores when it was sent or failed, and the reason for a failure or skip", async () => {
    const customer = await new World().customer();
    const { recipients } = await expand(customer, phones(3));
    const outcomes = [plain, { kind: "refused", error }, { kind: "skipped", reason: "too_long" }] as const;
    await settleLease(customer, recipients, (_, index) => ({ outcome: outcomes[index] ?? lost }));
    const [taken, failed, skipped] = await Promise.all(recipients.map(({ id }) => rowOf(customer, id)));
    const at = Date.now();
    expect(taken).toMatchObject({ sent_at: at, failed_at: null, provider_message_id: "p", error_code: null });
    expect(failed).toMatchObject({ failed_at: at, error_code: error.code, error_message: "Busy.", provider_code: "2" });
    expect(skipped).toMatchObject({ failed_at: at, error_code: "too_long", error_message: null, attempts: 0 });
  });
});

describe("Repeated attempts", () => {
  it("A campaign message is sent at most six times, with longer and longer pauses", async () => {
    const customer = await new World().customer();
    const campaign = await expand(customer, phones(1));
    const [recipient] = campaign.recipients;
    for (let attempts = 1; attempts <= 5; attempts++) {
      const [retryAt] = await settleLease(customer, campaign.recipients, () => ({ outcome: retry, attempts }));
      const pause = (retryAt ?? 0) - Date.now();
      expect(pause).toBeGreaterThanOrEqual(750 * 4 ** (attempts - 1));
      expect(pause).toBeLessThanOrEqual(1250 * 4 ** (attempts - 1));
      expect(await rowOf(customer, recipient?.id ?? "")).toMatchObject({
        state: state.queued,
        retry_at: retryAt,
        next_attempt_at: null,
        attempts,
      });
      await claimAgain(customer, campaign.id);
    }
    expect(await settleLease(customer, campaign.recipients, () => ({ outcome: retry, attempts: 6 }))).toEqual([null]);
    expect(await rowOf(customer, recipient?.id ?? "")).toMatchObject({ retry_at: null, error_message: "Busy." });
    expect(await countsOf(customer, campaign)).toEqual({ failed: 1 });
  });

  it("Holding a campaign message until later does not count as an attempt to send it", async () => {
    const customer = await new World().customer();
    const campaign = await expand(customer, phones(1));
    const id = campaign.recipients[0]?.id ?? "";
    const until = Date.now() + 5000;
    const hold = (attempts: number) =>
      settleLease(customer, campaign.recipients, () => ({ outcome: { kind: "held", until }, attempts }));
    expect(await hold(1)).toEqual([until]);
    expect(await rowOf(customer, id)).toMatchObject({ state: state.queued, retry_at: until, attempts: 0 });
    await claimAgain(customer, campaign.id);
    await hold(1);
    expect(await onShard(customer, "SELECT * FROM tallies WHERE campaign_id = ?", campaign.id)).toEqual([]);
    expect(await rowOf(customer, id)).toMatchObject({ state: state.queued, retry_at: until, attempts: 0 });
  });

  it.each([
    ["a lost response", lost],
    ["a temporary rejection", retry],
  ])("A late settlement of an earlier attempt with %s does not change the message's retry", async (_, outcome) => {
    const customer = await new World().customer();
    const campaign = await expand(customer, phones(1));
    const id = campaign.recipients[0]?.id ?? "";
    await settleLease(customer, campaign.recipients, () => ({ outcome: retry }));
    for (const claim of [() => Promise.resolve(), () => claimAgain(customer, campaign.id)]) {
      await claim();
      const before = await rowOf(customer, id);
      await settleLease(customer, campaign.recipients, () => ({ outcome }));
      expect(await rowOf(customer, id)).toEqual(before);
    }
  });
});

describe("Provider keys", () => {
  it("If two messages of one settlement have the same provider key, the first message gets the key and both are sent", async () => {
    const customer = await new World().customer();
    const campaign = await expand(customer, phones(3));
    await settleLease(customer, campaign.recipients, (_, index) => ({ outcome: accepted(index === 2 ? "b" : "a") }));
    expect(await Promise.all(campaign.recipients.map((each) => keyOf(customer, each)))).toEqual(["a", null, "b"]);
    expect(await countsOf(customer, campaign)).toEqual({ sent: 3 });
  });

  it("A provider key stays with the first message of a connection that has it, and a later message gets none", async () => {
    const customer = await new World().customer();
    const campaign = await expand(customer, phones(2));
    const [first, second] = campaign.recipients;
    for (const recipient of campaign.recipients)
      await settleLease(customer, [recipient], () => ({ outcome: accepted("a") }));
    expect([await keyOf(customer, first), await keyOf(customer, second)]).toEqual(["a", null]);
    expect(await countsOf(customer, campaign)).toEqual({ sent: 2 });
  });
});

describe("Leases through the sandbox", () => {
  it("A lease on the sandbox is sent and settled in two round trips", async () => {
    const { world, recording } = recordedWorld();
    const customer = await world.customer();
    const campaign = await expand(customer, phones(100));
    recording.take();
    await sendLease(customer, campaign.recipients);
    const ran = recording.take().filter(({ sql }) => !sql.includes("FROM workspaces"));
    expect(new Set(ran.map(({ trip }) => trip)).size).toBe(2);
    expect(await countsOf(customer, campaign)).toEqual({ sent: 100 });
    await world.settle({ copies: 2 });
    expect(await countsOf(customer, campaign)).toEqual({ read: 100 });
  });
});
