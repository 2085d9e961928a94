import { beforeEach, describe, expect, it } from "vitest";
import { addPeople, campaign, change, customerWith } from "../../../support/campaigns.ts";
import { stopClock } from "../../../support/clock.ts";
import { draftOf, patch } from "../../../support/drafts.ts";
import { changesOf } from "../../../support/rebuild.ts";
import type { Customer } from "../../../support/world.ts";

beforeEach(stopClock);

const start = (customer: Customer, id: string, body: object = {}, headers = {}) =>
  customer.call("POST", `/campaigns/${id}/start`, body, { headers });

const isRefused = { status: 409, body: { error: { code: "invalid_state" } } };

describe("Repeated starts", () => {
  it("A repeated start of a scheduled campaign does not change its time and logs no second start", async () => {
    const { world, customer } = await customerWith(2);
    const id = await draftOf(customer);
    const first = await start(customer, id);
    expect(first.body).toEqual({ success: true, campaign_id: id, recipient_count: 2, status: "scheduled" });
    const { scheduled_at } = await campaign(customer, id);
    world.advance(60_000);
    expect(await start(customer, id)).toMatchObject({ status: 200, body: first.body });
    expect((await campaign(customer, id)).scheduled_at).toBe(scheduled_at);
    const events = (await changesOf(customer)).filter(
      (event) => event.id === id && event.type === "campaign.scheduled",
    );
    expect(events).toHaveLength(1);
    world.setTime(Date.parse(scheduled_at));
    await world.settle({ copies: 2 });
    expect(await customer.outbox()).toHaveLength(2);
  });

  it("A repeated start with one Idempotency-Key returns the first response, even after a pause or completion", async () => {
    const { world, customer } = await customerWith(2);
    const id = await draftOf(customer, {});
    await patch(customer, id, { scheduled_at: null });
    await start(customer, id);
    const key = { "Idempotency-Key": "again" };
    const keyed = await start(customer, id, {}, key);
    expect([keyed.status, keyed.headers.get("Idempotent-Replayed")]).toEqual([200, null]);
    await change(customer, id, "pause");
    expect(await start(customer, id)).toMatchObject({
      ...isRefused,
      body: { error: { details: { status: "paused" } } },
    });
    await change(customer, id, "resume");
    await world.settle();
    expect(await start(customer, id)).toMatchObject({
      ...isRefused,
      body: { error: { details: { status: "completed" } } },
    });
    const replayed = await start(customer, id, {}, key);
    expect([replayed.body, replayed.headers.get("Idempotent-Replayed")]).toEqual([keyed.body, "true"]);
    expect(await customer.outbox()).toHaveLength(2);
  });

  it("Starting a campaign again returns success only with a token for the audience that was started", async () => {
    const { customer } = await customerWith(2);
    const id = await draftOf(customer);
    const tokenNow = async () => (await customer.call("POST", `/campaigns/${id}/preview`)).body.audience_token;
    const old = await tokenNow();
    await addPeople(customer, 1, 50);
    const audience_token = await tokenNow();
    for (const _ of [1, 2]) expect((await start(customer, id, { audience_token })).status).toBe(200);
    const madeUp = audience_token.replace(/[^.]*$/, "hello");
    const other = (await customer.call("POST", `/campaigns/${await draftOf(customer)}/preview`)).body.audience_token;
    for (const token of [old, madeUp, `hello-3`, other])
      expect(await start(customer, id, { audience_token: token })).toMatchObject(isRefused);
    customer.world.advance(60 * 60_000);
    expect((await start(customer, id, { audience_token })).status).toBe(200);
    const stranger = await customer.world.customer();
    expect((await start(stranger, id)).status).toBe(404);
  });
});
