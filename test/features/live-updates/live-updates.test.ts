import { expect, test } from "vitest";
import { written } from "../../support/inbox.ts";
import { askForSocket, openLivePage } from "../../support/live.ts";
import { World } from "../../support/world.ts";

test("A page is told of what happens in its workspace within a second, and of nothing that is said", async () => {
  const customer = await new World().customer();
  const agent = await customer.member("agent");
  const page = await openLivePage(agent, customer.workspaceId);
  const startedAt = performance.now();
  const conversation = await written(customer, "Is my order on its way?", "Bruno Lima");
  const changes = await page.changes("message.received");
  expect(performance.now() - startedAt).toBeLessThan(2000);
  expect(changes).toContainEqual({
    type: "message.received",
    id: expect.stringMatching(/^msg_/),
    conversation_id: conversation,
    contact_id: expect.stringMatching(/^ct_/),
  });
  expect(JSON.stringify(page.messages)).not.toMatch(/order|Bruno/);
  page.socket.close();
});

test("A socket is opened for members, by pages of our own", async () => {
  const world = new World();
  const [customer, other] = [await world.customer(), await world.customer()];
  const agent = await customer.member("agent");
  const status = async (workspaceId: string, headers = {}) => (await askForSocket(agent, workspaceId, headers)).status;
  expect(await status(customer.workspaceId, { Origin: "https://evil.example" })).toBe(403);
  expect(await status(other.workspaceId)).toBe(404);
  expect(await status(customer.workspaceId, { Cookie: "tidings=forged.sum" })).toBe(401);
  expect(await status(customer.workspaceId, { Upgrade: "h2c" })).toBe(400);
});
