import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ProviderError } from "../../../src/channels/channel.ts";
import { sandbox } from "../../../src/channels/sandbox/sandbox.ts";
import { HOUR_MS } from "../../../src/shared/time/durations.ts";
import { stopClock } from "../../support/clock.ts";
import { orderUpdate, providerHolds } from "../../support/provider.ts";
import { onShard } from "../../support/storage.ts";
import { type Customer, World } from "../../support/world.ts";

// The sweep serves all workspaces, so we remove the connections of earlier tests.
beforeEach(async () => {
  stopClock();
  vi.restoreAllMocks();
  for (const database of [env.DB, env.DB_SHARD_1])
    await database.exec("UPDATE connections SET template_sync_at = NULL");
});

/** A customer whose templates are due for a sync. The sandbox acts as a provider that stores templates. */
async function dueCustomer(world: World): Promise<Customer> {
  const customer = await world.customer({ channel: "official" });
  await onShard(customer, "UPDATE connections SET template_sync_at = 0 WHERE id = ?", customer.connectionId);
  return customer;
}

const syncOf = async (customer: Customer) => {
  const [row] = await onShard(
    customer,
    "SELECT template_sync_at AS at, template_sync_failures AS failures FROM connections WHERE id = ?",
    customer.connectionId,
  );
  return { inHours: (Number(row?.["at"]) - Date.now()) / HOUR_MS, failures: row?.["failures"] };
};

const namesOf = async (customer: Customer) => {
  const { templates } = (await customer.call("GET", "/templates?source=external")).body;
  return templates.map(({ name }: { name: string }) => name);
};

describe("Hourly sync", () => {
  it("The hourly sync copies the provider's templates once an hour", async () => {
    const world = new World();
    const customer = await dueCustomer(world);
    const asked = providerHolds({ ...orderUpdate, name: "fresh", quality: "GREEN" });
    await world.cron();
    expect(await namesOf(customer)).toEqual(["fresh"]);
    expect((await customer.call("GET", "/templates")).body.templates[0]).toMatchObject({ quality: "GREEN" });
    expect(await syncOf(customer)).toEqual({ inHours: 1, failures: 0 });
    await world.cron();
    expect(asked).toHaveBeenCalledTimes(1);
    world.advance(HOUR_MS);
    await world.cron();
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it("The hourly sync calls a failing provider less often and changes nothing", async () => {
    const world = new World();
    const customer = await dueCustomer(world);
    const asked = vi.spyOn(sandbox, "syncTemplates").mockRejectedValue(new ProviderError("Not now."));
    await world.cron();
    expect(await syncOf(customer)).toEqual({ inHours: 1, failures: 1 });
    world.advance(HOUR_MS);
    await world.cron();
    expect(await syncOf(customer)).toEqual({ inHours: 2, failures: 2 });
    expect(asked).toHaveBeenCalledTimes(2);
    expect(await namesOf(customer)).toHaveLength(7);
  });
});
