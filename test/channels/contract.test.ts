import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../support/clock.ts";
import { type ProviderBehavior, players } from "../support/providers/players.ts";
import type { Answer, Customer } from "../support/world.ts";

beforeEach(() => {
  stopClock();
  vi.spyOn(console, "error").mockReturnValue();
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(players)("Provider $name", (player) => {
  /** Opens the window that official connections require, then sends. */
  async function send(
    customer: Customer,
    behavior: ProviderBehavior,
  ): Promise<{ to: string; id: string; message: Answer["body"] }> {
    const to = player.number(behavior);
    await player.inbound(customer, to, "Hello?");
    const { message_id: id } = (await customer.send(to, "Hi – grüß dich 👋")).body;
    return { to, id, message: await customer.message(id) };
  }

  it("A connection of every provider can be tested", async () => {
    const customer = await player.customer();
    const answer = await customer.manage("POST", `/connections/${customer.connectionId}/test`);
    expect(answer.body).toEqual({ success: true, ok: true, detail: expect.stringMatching(/\w.*\.$/) });
  });

  it("A message is sent once, and statuses in the wrong order leave it as read", async () => {
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

  it("A permanently rejected message fails with the provider's code and text", async () => {
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

  it("After a temporary rejection, a message is retried and accepted once", async () => {
    const customer = await player.customer();
    const { to, id, message } = await send(customer, "busy");
    expect(message.delivery).toBe("queued");
    await customer.world.settle({ withinMs: 60_000 });
    expect(["sent", "delivered", "read"]).toContain((await customer.message(id)).delivery);
    expect(await player.taken(customer, to)).toBe(1);
  });

  it("A message whose response was lost is `unknown`, and nothing resends it", async () => {
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

  it("A message is `unknown` after one call if the provider returns an unclear error", async () => {
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

  it("A message fails if the provider reports a failure later", async () => {
    const customer = await player.customer();
    const { id } = await send(customer, "fine");
    await player.status(customer, id, "failed");
    expect(await customer.message(id)).toMatchObject({ delivery: "failed", error: { code: "undeliverable" } });
  });

  it("A person's message is stored once, a reply joins its conversation, and STOP opts the person out", async () => {
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
