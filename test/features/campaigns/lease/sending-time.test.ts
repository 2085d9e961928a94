import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sandbox } from "../../../../src/channels/sandbox/sandbox.ts";
import { addPeople, campaign, started } from "../../../support/campaigns.ts";
import { stopClock } from "../../../support/clock.ts";
import { World } from "../../../support/world.ts";

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

it("A lease starts no call more than 15 seconds after its claim, and the remaining recipients receive their message later", async () => {
  const world = new World();
  const customer = await world.customer();
  await customer.manage("PATCH", `/connections/${customer.connectionId}`, { messages_per_second: 400 });
  await addPeople(customer, 60);
  const sent: { to: string; at: number }[] = [];
  const send = sandbox.send.bind(sandbox);
  vi.spyOn(sandbox, "send").mockImplementation(async (...call) => {
    sent.push({ to: call[1].to, at: Date.now() });
    // The provider takes a second for each of the first twenty messages.
    if (sent.length <= 20) world.advance(1000);
    return send(...call);
  });
  const id = await started(customer);
  await world.settle();
  const [first] = sent;
  const inFirstLease = sent.filter(({ at }) => at - (first?.at ?? 0) < 15_000);
  expect(inFirstLease).toHaveLength(15);
  expect(sent[15]?.at).toBeGreaterThanOrEqual((first?.at ?? 0) + 15_000);
  expect([sent.length, new Set(sent.map(({ to }) => to)).size]).toEqual([60, 60]);
  expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { read: 60, unknown: 0 } });
});
