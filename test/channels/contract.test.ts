import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CloudStandIn } from "../support/providers/cloud.ts";
import { linkedCustomer, playProvider, report } from "../support/providers/linked.ts";
import type { StandIn, Status } from "../support/providers/stand-in.ts";
import { WahaStandIn } from "../support/providers/waha.ts";
import { type Answer, type Customer, phoneEnding, World } from "../support/world.ts";

/** What happens to a message at the provider. */
type Fate = "fine" | "permanent" | "busy" | "lost" | "broken";

/** A channel as the same cases are played over all of them. A new provider is one more of these. */
interface Player {
  name: string;
  customer(): Promise<Customer>;
  /** A number whose next message meets this fate. */
  number(fate: Fate): string;
  /** How many messages the provider took for a number. */
  taken(customer: Customer, to: string): Promise<number>;
  /** How many calls to send were made. */
  calls(customer: Customer): Promise<number>;
  /** The provider reports a status of the last message it took. */
  status(customer: Customer, messageId: string, status: Status): Promise<unknown>;
  inbound(customer: Customer, from: string, text: string, copies?: number): Promise<unknown>;
  codes: Record<"permanent" | "busy", string>;
}

const endings: Record<Fate, string> = { fine: "0004", permanent: "0001", busy: "0007", lost: "0003", broken: "0003" };

const sandbox: Player = {
  name: "sandbox",
  customer: () => new World().customer(),
  number: (fate) => phoneEnding(endings[fate]),
  calls: async (customer) => (await customer.outbox()).length,
  taken: async (customer, to) => (await customer.outbox(`?to=${encodeURIComponent(to)}`)).length,
  async status(customer, messageId, status) {
    const workspace = await customer.world.env.DB.prepare("SELECT id, number, shard FROM workspaces WHERE id = ?")
      .bind(customer.workspaceId)
      .first();
    const event = { type: "status", messageId, providerMessageId: "p", status, at: Date.now(), error: null };
    await customer.world.env.EVENTS_QUEUE.send({ v: 1, workspace, connectionId: customer.connectionId, event });
    await customer.world.queues.deliverDue(customer.world.env);
  },
  async inbound(customer, from, text, copies = 1) {
    await customer.manage("POST", `/connections/${customer.connectionId}/simulate`, { from, text });
    await customer.world.queues.deliverDue(customer.world.env, copies);
  },
  codes: { permanent: "invalid_recipient", busy: "rate_limited" },
};

function played(standIn: () => StandIn, permanent: string): Player {
  let provider = standIn();
  const digits = (to: string) => to.replace(/\D/g, "");
  return {
    name: provider.provider,
    customer() {
      provider = standIn();
      playProvider(provider);
      return linkedCustomer(provider);
    },
    number(fate) {
      if (fate === "lost") provider.loseNext();
      else if (fate !== "fine") provider.next(provider.troubles[fate]);
      return phoneEnding("1234");
    },
    calls: () => Promise.resolve(provider.requests.filter(({ method }) => method === "POST").length),
    taken: (_, to) => Promise.resolve(provider.handed.filter((each) => digits(each.to) === digits(to)).length),
    status(customer, messageId, status) {
      const message = provider.handed.at(-1);
      if (message === undefined) throw new Error("The provider took nothing.");
      return report(customer, provider.status(message, messageId, status));
    },
    inbound: (customer, from, text, copies) => report(customer, provider.inbound(from, text), copies),
    codes: { permanent, busy: "rate_limited" },
  };
}

const players = [
  sandbox,
  played(() => new CloudStandIn(), "undeliverable"),
  played(() => new WahaStandIn(), "invalid_recipient"),
];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.spyOn(console, "error").mockReturnValue();
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(players)("over $name", (player) => {
  /** Opens the window that official connections want, then sends. */
  async function send(customer: Customer, fate: Fate): Promise<{ to: string; id: string; message: Answer["body"] }> {
    const to = player.number(fate);
    await player.inbound(customer, to, "Hello?");
    const { message_id: id } = (await customer.send(to, "Hi – grüß dich 👋")).body;
    return { to, id, message: await customer.message(id) };
  }

  it("a connection can be tested", async () => {
    const customer = await player.customer();
    const answer = await customer.manage("POST", `/connections/${customer.connectionId}/test`);
    expect(answer.body).toEqual({ success: true, ok: true, detail: expect.stringMatching(/\w.*\.$/) });
  });

  it("a message is handed over once and its statuses show", async () => {
    const customer = await player.customer();
    const { to, id, message } = await send(customer, "fine");
    expect(message).toMatchObject({ delivery: "sent", provider_message_id: expect.any(String), error: null });
    expect(await player.taken(customer, to)).toBe(1);
    for (const status of ["delivered", "sent", "read", "delivered"] as const) await player.status(customer, id, status);
    expect(await customer.message(id)).toMatchObject({
      delivery: "read",
      delivered_at: expect.any(String),
      read_at: expect.any(String),
    });
  });

  it("a permanent refusal fails the message with the provider's code and text", async () => {
    const customer = await player.customer();
    const { to, message } = await send(customer, "permanent");
    const error = {
      code: player.codes.permanent,
      message: expect.stringMatching(/\w/),
      provider_code: expect.any(String),
    };
    expect(message).toMatchObject({ delivery: "failed", error });
    await customer.world.settle();
    expect(await player.taken(customer, to)).toBe(0);
  });

  it("a temporary refusal is retried until it goes through, once", async () => {
    const customer = await player.customer();
    const { to, id, message } = await send(customer, "busy");
    expect(message.delivery).toBe("queued");
    await customer.world.settle({ withinMs: 60_000 });
    expect(["sent", "delivered", "read"]).toContain((await customer.message(id)).delivery);
    expect(await player.taken(customer, to)).toBe(1);
  });

  it("a lost answer leaves the message unknown and is never sent again", async () => {
    const customer = await player.customer();
    const { to, id, message } = await send(customer, "lost");
    expect(message).toMatchObject({ delivery: "unknown", error: null });
    customer.world.queues.messages.length = 0;
    customer.world.advance(3_600_000);
    await customer.world.cron();
    await customer.world.settle();
    expect(await player.taken(customer, to)).toBe(1);
    expect((await customer.message(id)).delivery).toBe("unknown");
  });

  it("an error of the provider that says nothing of the message leaves it unknown, and one call is made", async () => {
    const customer = await player.customer();
    const { id, message } = await send(customer, "broken");
    expect(message).toMatchObject({ delivery: "unknown", error: null });
    customer.world.queues.messages.length = 0;
    for (let minute = 0; minute < 10; minute++) {
      customer.world.advance(60_000);
      await customer.world.cron();
      await customer.world.settle({ withinMs: 30_000 });
    }
    expect((await customer.message(id)).delivery).toBe("unknown");
    expect(await player.calls(customer)).toBe(1);
  });

  it("a failure reported later fails the message", async () => {
    const customer = await player.customer();
    const { id } = await send(customer, "fine");
    await player.status(customer, id, "failed");
    expect(await customer.message(id)).toMatchObject({ delivery: "failed", error: { code: "undeliverable" } });
  });

  it("a person's message is stored once, answered in its conversation, and STOP is obeyed", async () => {
    const customer = await player.customer();
    const from = player.number("fine");
    await player.inbound(customer, from, "Is it open?", 3);
    const [conversation, ...others] = (await customer.call("GET", "/conversations")).body.conversations;
    expect(others).toEqual([]);
    expect(conversation).toMatchObject({ contact: { phone: from }, last_message: "Is it open?", unread_count: 1 });
    const reply = await customer.call("POST", `/conversations/${conversation.id}/messages`, { text: "Yes." });
    expect((await customer.message(reply.body.message_id)).delivery).toBe("sent");
    expect(await player.taken(customer, from)).toBe(1);
    customer.world.advance(1000);
    await player.inbound(customer, from, "Stop!");
    expect((await customer.send(from, "Really?")).status).toBe(422);
  });
});
