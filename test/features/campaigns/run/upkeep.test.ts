import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import {
  campaign,
  change,
  customerWith,
  differences,
  recipientsOf,
  started,
  advanceJob,
} from "../../../support/campaigns.ts";
import { onShard } from "../../../support/storage.ts";

beforeEach(stopClock);

const HOUR = 3_600_000;

describe("Sweep", () => {
  it("The sweep reaches every campaign, even if a thousand other campaigns have been paused for a long time", async () => {
    const { world, customer } = await customerWith(3);
    const paused = await started(customer);
    await change(customer, paused, "pause");
    const columns = (await onShard(customer, "SELECT name FROM pragma_table_info('campaigns')"))
      .map(({ name }) => String(name))
      .filter((name) => name !== "id" && name !== "wake_at");
    await onShard(
      customer,
      `INSERT INTO campaigns (id, wake_at, ${columns.join(", ")})
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100)
       SELECT 'cmp_old' || i, 1, ${columns.join(", ")} FROM campaigns CROSS JOIN n WHERE id = ?`,
      paused,
    );
    const id = await started(customer);
    world.queues.messages.length = 0;
    world.advance(60_000);
    await world.cron();
    const bodies = world.queues.messages.map(({ body }) => JSON.stringify(body));
    expect(bodies.some((body) => body.includes(id))).toBe(true);
  });
});

describe("Reconciliation", () => {
  it("Reconciling a campaign reports a recipient whose message row is missing", async () => {
    const { world, customer } = await customerWith(10);
    const id = await started(customer);
    await world.settle();
    const [recipient] = await recipientsOf(customer, id);
    await onShard(customer, "DELETE FROM messages WHERE id = ?", recipient.message_id);
    expect(await differences(customer, id)).toEqual({ read: -1 });
  });

  it("Reconciling a campaign reports no difference during expansion and sending, and after a cancellation", async () => {
    const { world, customer } = await customerWith(6000);
    const id = await started(customer);
    expect(await differences(customer, id)).toEqual({});
    await world.settle({ withinMs: 1000 });
    expect(await differences(customer, id)).toEqual({});
    await change(customer, id, "cancel");
    await world.settle();
    expect(await differences(customer, id)).toEqual({});
  });
});

it("A campaign starts at its scheduled time, even if a fast clock makes its alarm slightly early", async () => {
  const { world, customer } = await customerWith(3);
  const at = Date.now() + HOUR;
  const id = await started(customer, { scheduled_at: new Date(at).toISOString() });
  world.setTime(at - 5);
  await world.queues.binding("tidings-expand").send(await advanceJob(customer, id));
  await world.queues.deliverDue(world.env);
  expect((await campaign(customer, id)).status).toBe("running");
});
