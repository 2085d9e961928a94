import { env as bindings } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { CampaignClock } from "../../../../src/features/campaigns/campaigns.object.ts";

const MINUTE_MS = 60_000;

it("If new times are set on a campaign's clock while its alarm is running, the clock keeps all of them", async () => {
  const job = { v: 1 as const, workspace: { id: "ws_1", number: 1, shard: 0 }, campaignId: "cmp_1" };
  await runInDurableObject(bindings.CAMPAIGN_CLOCK.getByName(crypto.randomUUID()), async (_clock, state) => {
    const start = Date.now() + MINUTE_MS;
    const later = [start + MINUTE_MS, start + 2 * MINUTE_MS];
    const send = () => clock.set(job, later);
    const clock = new CampaignClock(state, bindings);
    Object.assign(clock, { env: { EXPAND_QUEUE: { send } } });
    await clock.set(job, [start]);
    await clock.alarm();
    expect(await state.storage.get("times")).toEqual(later);
    expect(await state.storage.getAlarm()).toBe(later[0]);
  });
});
