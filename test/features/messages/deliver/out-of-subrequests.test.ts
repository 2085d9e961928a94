import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sandbox } from "../../../../src/channels/sandbox/sandbox.ts";
import { addPeople, campaign, started } from "../../../support/campaigns.ts";
import { stopClock } from "../../../support/clock.ts";
import { phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

const OUT_OF_SUBREQUESTS = new Error("Too many subrequests by single Worker invocation.");

it("If a Worker invocation has no subrequest left, a later invocation sends the message in order, as its first attempt", async () => {
  const world = new World();
  const customer = await world.customer();
  const send = vi.spyOn(sandbox, "send").mockRejectedValueOnce(OUT_OF_SUBREQUESTS);
  const to = phoneEnding("1234");
  const first = (await customer.send(to, "first")).body.message_id;
  world.advance(1);
  await customer.send(to, "second");
  expect(send).toHaveBeenCalledTimes(1);
  expect((await customer.message(first)).delivery).toBe("queued");
  await world.settle();
  expect(send.mock.calls.map(([, { body, attempt }]) => [body, attempt])).toEqual([
    ["first", 1],
    ["first", 1],
    ["second", 1],
  ]);
  expect((await customer.message(first)).delivery).toBe("read");
});

it("If a Worker invocation has no subrequest left, a later lease sends to the recipients, and none becomes `unknown`", async () => {
  const world = new World();
  const customer = await world.customer();
  await addPeople(customer, 5);
  const send = vi.spyOn(sandbox, "send");
  for (let call = 0; call < 3; call++) send.mockRejectedValueOnce(OUT_OF_SUBREQUESTS);
  const id = await started(customer);
  await world.settle();
  expect(send).toHaveBeenCalledTimes(8);
  expect(await campaign(customer, id)).toMatchObject({
    status: "completed",
    counts: { read: 5, unknown: 0, failed: 0 },
  });
});
