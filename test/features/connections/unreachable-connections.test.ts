import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { addPeople, campaign, change, differences, started } from "../../support/campaigns.ts";
import { CloudStandIn } from "../../support/providers/cloud.ts";
import { graphError } from "../../support/providers/graph-error.ts";
import { connectionOf, linkedCustomer, playInEachTest, playProvider, report } from "../../support/providers/linked.ts";
import { onShard } from "../../support/storage.ts";
import { WahaStandIn } from "../../support/providers/waha.ts";
import { createTemplate } from "../../support/templates.ts";
import { phoneEnding, World } from "../../support/world.ts";

const MINUTE = 60_000;

let waha: WahaStandIn;
playInEachTest(() => (waha = new WahaStandIn()));
beforeEach(stopClock);

// The sweep serves all workspaces, so the connections of earlier tests are removed.
beforeEach(async () => {
  for (const database of [env.DB, env.DB_SHARD_1])
    await database.exec("UPDATE connections SET retest_at = NULL, template_sync_at = NULL");
});

const badGateway = () => new Response("<html>Bad Gateway</html>", { status: 502 });

/** A campaign to `people` recipients. The provider's gateway returns 502 from the first send on. */
async function behindDeadGateway(people: number, world = new World()) {
  const customer = await linkedCustomer(waha, world, {});
  await customer.manage("PATCH", `/connections/${customer.connectionId}`, { messages_per_second: 80 });
  await addPeople(customer, people);
  const template_id = await createTemplate(customer, "Hello {{name}}");
  waha.gateway = badGateway;
  const id = await started(customer, { template_id, channel: "unofficial" });
  await world.settle();
  return { world, customer, id };
}

const sends = () => waha.requests.filter(({ method }) => method === "POST").length;
const tests = () => waha.requests.filter(({ method }) => method === "GET").length;

async function minutes(world: World, count: number): Promise<void> {
  for (let minute = 0; minute < count; minute++) {
    world.advance(MINUTE);
    await world.cron();
    await world.settle({ withinMs: 1000 });
  }
}

describe("Unreachable providers", () => {
  it("A campaign of 1,010 recipients pauses after a few messages if the provider is unreachable, and the connection shows the error", async () => {
    const { customer, id } = await behindDeadGateway(1010);
    const paused = await campaign(customer, id);
    expect(paused).toMatchObject({ status: "paused", last_error: "provider_unreachable", counts: { failed: 0 } });
    // Ten responses, and the six calls that had started before the tenth response.
    expect(paused.counts.unknown).toBeGreaterThanOrEqual(10);
    expect(paused.counts.unknown).toBeLessThanOrEqual(16);
    expect(sends()).toBe(paused.counts.unknown);
    expect(await differences(customer, id)).toEqual({});
    expect(await connectionOf(customer)).toMatchObject({
      status: "error",
      status_detail: expect.stringMatching(/no usable response/),
    });
  });

  it(
    "A connection becomes active within a minute after its provider responds again, and the campaign reaches the remaining recipients",
    { tags: "long" },
    async () => {
      const { world, customer, id } = await behindDeadGateway(60);
      const { unknown } = (await campaign(customer, id)).counts;
      await minutes(world, 5);
      expect([tests(), sends()]).toEqual([5, unknown]);
      expect((await connectionOf(customer)).status).toBe("error");
      waha.gateway = null;
      await minutes(world, 1);
      expect(await connectionOf(customer)).toMatchObject({ status: "active", status_detail: null });
      await minutes(world, 3);
      expect(tests()).toBe(6);
      expect((await campaign(customer, id)).status).toBe("paused");
      await change(customer, id, "resume");
      await world.settle();
      expect(await campaign(customer, id)).toMatchObject({
        status: "completed",
        last_error: null,
        counts: { unknown, sent: 60 - unknown },
      });
      expect(new Set(waha.handed.map(({ to }) => to)).size).toBe(60 - unknown);
      expect(waha.handed).toHaveLength(60 - unknown);
    },
  );

  it(
    "An unreachable provider is tested at growing intervals, and parallel sweeps test it once",
    { tags: "long" },
    async () => {
      const { world } = await behindDeadGateway(20);
      await minutes(world, 60);
      expect(tests()).toBe(60);
      world.advance(23 * 60 * MINUTE);
      await Promise.all([world.cron(), world.cron()]);
      expect(tests()).toBe(61);
      await minutes(world, 22);
      expect(tests()).toBe(61);
      await minutes(world, 4);
      expect(tests()).toBe(62);
    },
  );

  it("An unreachable connection that gets a different error keeps that error, and no test clears it", async () => {
    const { world, customer, id } = await behindDeadGateway(20);
    waha.gateway = null;
    waha.sessionStatus = "STOPPED";
    await minutes(world, 1);
    expect(await connectionOf(customer)).toMatchObject({ status: "disconnected" });
    waha.sessionStatus = "WORKING";
    await minutes(world, 3);
    expect(tests()).toBe(1);
    expect((await connectionOf(customer)).status).toBe("disconnected");
    await change(customer, id, "resume");
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "paused", last_error: "connection_unavailable" });
  });

  it("An inbound message makes a connection with an unreachable provider active again, unless the message is older than the failure", async () => {
    const written = await waha.inbound(phoneEnding("1234"), "Written before");
    stopClock();
    const { world, customer } = await behindDeadGateway(20);
    await report(customer, written);
    expect((await connectionOf(customer)).status).toBe("error");
    world.advance(2000);
    await report(customer, waha.inbound(phoneEnding("1234"), "Hello?"), 2);
    expect(await connectionOf(customer)).toMatchObject({ status: "active", status_detail: null });
    await minutes(world, 2);
    expect(tests()).toBe(0);
  });

  it("A change of only the webhook settings does not make a connection to an unreachable provider active", async () => {
    const { customer } = await behindDeadGateway(20);
    const set = (config: object) => customer.manage("PATCH", `/connections/${customer.connectionId}`, { config });
    expect((await set({ webhook_hmac_key: "another-key-of-the-webhook" })).body.connection.status).toBe("error");
    expect((await set({ session: "another" })).body.connection.status).toBe("active");
  });

  it("A resumed campaign calls an unreachable provider immediately, and pauses again if the provider still fails", async () => {
    const { world, customer, id } = await behindDeadGateway(60);
    const before = sends();
    const resumed = await change(customer, id, "resume");
    expect(resumed.body.campaign).toMatchObject({ status: "running", last_error: null });
    expect((await connectionOf(customer)).status).toBe("active");
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "paused", last_error: "provider_unreachable" });
    expect(sends() - before).toBeGreaterThanOrEqual(10);
    expect((await connectionOf(customer)).status).toBe("error");
    waha.gateway = null;
    await change(customer, id, "resume");
    await world.settle();
    expect((await campaign(customer, id)).status).toBe("completed");
  });

  it("If a resume is repeated with one Idempotency-Key, it calls an unreachable provider once", async () => {
    const { world, customer, id } = await behindDeadGateway(60);
    const key = { "Idempotency-Key": "again" };
    await change(customer, id, "resume", key);
    await world.settle();
    const before = sends();
    const replay = await change(customer, id, "resume", key);
    expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
    expect((await connectionOf(customer)).status).toBe("error");
    await world.settle();
    expect(sends()).toBe(before);
  });

  it("An unreachable provider is not tested after the connection is deleted", async () => {
    const { world, customer, id } = await behindDeadGateway(20);
    await change(customer, id, "cancel");
    await customer.manage("POST", `/api-keys/${customer.keyId}/revoke`);
    const deleted = await customer.manage("DELETE", `/connections/${customer.connectionId}`);
    expect(deleted.status, JSON.stringify(deleted.body)).toBe(200);
    await minutes(world, 2);
    expect(tests()).toBe(0);
  });
});

describe("Connections with other errors", () => {
  it("A connection with any other error is not tested automatically, and inbound messages or resumed campaigns do not make it active", async () => {
    const cloud = new CloudStandIn();
    playProvider(cloud);
    const customer = await linkedCustomer(cloud);
    const { world } = customer;
    await report(customer, cloud.inbound("+14155550177", "Hi"));
    cloud.next(() => graphError(190, "Session has expired", 401));
    await customer.send("+14155550177", "Hello");
    expect((await connectionOf(customer)).status).toBe("error");
    world.advance(2000);
    await report(customer, cloud.inbound("+14155550177", "Still there?"));
    await minutes(world, 3);
    expect((await connectionOf(customer)).status).toBe("error");
    expect(cloud.requests.filter(({ method }) => method === "GET")).toEqual([]);
  });
});

describe("Many unreachable providers", () => {
  it(
    "The sweep tests forty unreachable providers per minute and shard, the longest outages first",
    { tags: "long" },
    async () => {
      const { world, customer } = await behindDeadGateway(20);
      await onShard(
        customer,
        `INSERT INTO connections (id, workspace_id, name, channel, provider, status, is_default, messages_per_second, config, secrets,
         created_at, unreachable_since, retest_at)
       SELECT id || '-' || value, workspace_id, name, channel, 'sandbox', 'error', FALSE, 1, '{}', '{}', 1, unreachable_since, retest_at + value
       FROM connections CROSS JOIN (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 50) SELECT value FROM n)
       WHERE id = ?`,
        customer.connectionId,
      );
      const { workspaceId } = customer;
      await world.env.DB.prepare(
        `INSERT INTO connection_shards (connection_id, workspace_id)
       SELECT ? || '-' || value, ? FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 50) SELECT value FROM n)`,
      )
        .bind(customer.connectionId, workspaceId)
        .run();
      const active = async () =>
        (
          await onShard(
            customer,
            "SELECT id FROM connections WHERE workspace_id = ? AND status = 'active' AND provider = 'sandbox' AND id LIKE ?",
            workspaceId,
            `${customer.connectionId}-%`,
          )
        ).length;
      await minutes(world, 1);
      expect([tests(), await active()]).toEqual([1, 39]);
      await minutes(world, 1);
      expect([tests(), await active()]).toEqual([2, 50]);
    },
  );
});
