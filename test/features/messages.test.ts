import { beforeEach, describe, expect, it, vi } from "vitest";
import { phoneEnding, World } from "../support/world.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});

describe("sending a message", () => {
  it("accepts, sends, delivers and shows it read", async () => {
    const world = new World();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    const accepted = await customer.send(to, "Your table is ready");
    expect(accepted.status).toBe(202);
    expect(accepted.body).toMatchObject({ success: true, status: "queued" });
    expect((await customer.message(accepted.body.message_id)).delivery).toBe("sent");
    await world.settle();
    expect(await customer.message(accepted.body.message_id)).toMatchObject({
      delivery: "read",
      to,
      body: "Your table is ready",
      error: null,
    });
    expect(await customer.outbox()).toMatchObject([
      { to, body: "Your table is ready", attempt: 1, message_id: accepted.body.message_id },
    ]);
  });
});
