import { beforeEach, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import { onShard } from "../../../support/storage.ts";
import { phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

it("A status with a price changes nothing on a message that was cancelled before it was sent", async () => {
  const world = new World();
  const customer = await world.customer();
  const send_at = new Date(Date.now() + 60_000).toISOString();
  const body = { to: phoneEnding("1234"), text: "Later", send_at };
  const messageId = (await customer.call("POST", "/messages", body)).body.message_id;
  expect((await customer.call("POST", `/messages/${messageId}/cancel`)).status).toBe(200);
  const rowOf = async () => onShard(customer, "SELECT * FROM messages WHERE id = ?", messageId);
  const before = await rowOf();
  const workspace = await world.env.DB.prepare("SELECT id, number, shard FROM workspaces WHERE id = ?")
    .bind(customer.workspaceId)
    .first();
  const price = { billable: true, category: "marketing", type: "regular" };
  for (const status of ["sent", "delivered", "read"]) {
    const event = { type: "status", messageId, providerMessageId: "p-1", status, at: Date.now(), error: null, price };
    await world.env.EVENTS_QUEUE.send({ v: 1, workspace, connectionId: customer.connectionId, event });
  }
  await world.queues.deliverDue(world.env);
  expect(await rowOf()).toEqual(before);
  expect(await customer.message(messageId)).toMatchObject({ delivery: "cancelled", sent_at: null, read_at: null });
});
