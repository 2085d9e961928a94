import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addPeople, campaign, change, customerWith, started } from "../../../support/campaigns.ts";
import { stopClock } from "../../../support/clock.ts";
import { draftOf, patch, shown } from "../../../support/drafts.ts";
import { chunksOf } from "../../../support/read-log.ts";
import { changesOf, expectLogToTell } from "../../../support/rebuild.ts";
import { faultyWorld } from "../../../support/storage.ts";
import { createTemplate } from "../../../support/templates.ts";
import { phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

const HOUR = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();
const inHours = (hours: number) => iso(Date.now() + hours * HOUR);

describe("Scheduled campaigns", () => {
  it("A scheduled campaign accepts changes to every field and sends the latest values at the new time", async () => {
    const { world, customer } = await customerWith(3);
    const phone = phoneEnding("1234");
    await customer.call("POST", "/contacts", { phone, name: "Vic", tags: ["VIP"] });
    const id = await started(customer, { scheduled_at: inHours(1), name: "Old" });
    const template_id = await createTemplate(customer, "Dear {{1}}, {{2}}");
    const scheduled_at = inHours(2);
    const send_before = inHours(3);
    const wanted = { name: "New", template_id, variables: ["{{name}}", "hello"], filter_tags: ["VIP"] };
    const answer = await patch(customer, id, { ...wanted, scheduled_at, send_before });
    expect(answer).toMatchObject({
      status: 200,
      body: { campaign: { name: "New", template_id, scheduled_at, send_before, recipient_count: 1 } },
    });
    world.setTime(Date.parse(scheduled_at) - 1000);
    await world.settle({ withinMs: 0 });
    expect((await campaign(customer, id)).status).toBe("scheduled");
    world.setTime(Date.parse(scheduled_at));
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({
      status: "completed",
      counts: { read: 1 },
      started_at: scheduled_at,
    });
    expect(await customer.outbox()).toMatchObject([{ to: phone, body: "Dear Vic, hello" }]);
  });

  it("A scheduled campaign starts at its new, earlier time, even if the alarm is lost", async () => {
    const { world, customer } = await customerWith(2);
    const id = await started(customer, { scheduled_at: inHours(5) });
    await patch(customer, id, { scheduled_at: inHours(1) });
    world.advance(HOUR);
    await world.settle({ withinMs: 0 });
    await world.settle();
    expect((await campaign(customer, id)).status).toBe("completed");
    const lost = await started(customer, { scheduled_at: inHours(5) });
    await patch(customer, lost, { scheduled_at: inHours(1) });
    world.advance(HOUR + 60_000);
    await world.cron();
    // We only deliver queues, so no alarm runs.
    await world.queues.deliverDue(world.env);
    expect((await campaign(customer, lost)).status).toBe("running");
    await world.settle();
    expect((await campaign(customer, lost)).status).toBe("completed");
  });

  it("A change to a scheduled campaign keeps omitted fields and removes null fields", async () => {
    const { customer } = await customerWith(2);
    await customer.call("POST", "/contacts", { phone: phoneEnding("1234"), tags: ["VIP"] });
    const filters = {
      filter_tags: ["VIP"],
      filter_tags_mode: "any",
      scheduled_at: inHours(1),
      send_before: inHours(2),
    };
    const id = await started(customer, { ...filters, body: "Hi" });
    const before = await shown(customer, id);
    await patch(customer, id, {});
    expect(await shown(customer, id)).toEqual(before);
    await patch(customer, id, { filter_tags: null, send_before: null });
    expect(await shown(customer, id)).toEqual({ ...before, send_before: null, recipient_count: 3 });
  });

  it("A scheduled campaign uses the new name of a renamed tag", async () => {
    const { customer } = await customerWith(0);
    await customer.call("POST", "/contacts", { phone: phoneEnding("1234"), tags: ["VIP"] });
    const id = await started(customer, { filter_tags: ["VIP"], scheduled_at: inHours(1), body: "Hi" });
    const { tags } = (await customer.call("GET", "/tags")).body;
    await customer.call("PATCH", `/tags/${tags[0].id}`, { name: "Very important" });
    expect((await patch(customer, id, { name: "New" })).status).toBe(200);
  });

  it("The event log contains exactly the fields that changed in a scheduled campaign, and nothing if none changed", async () => {
    const { customer } = await customerWith(2);
    const scheduled_at = inHours(1);
    const id = await started(customer, { scheduled_at, name: "Old", body: "Hi {{name}}" });
    await addPeople(customer, 1, 50);
    await patch(customer, id, { name: "New", variables: { name: "you" } });
    const logged = (await chunksOf(customer)).length;
    await patch(customer, id, { name: "New" });
    expect((await chunksOf(customer)).length).toBe(logged);
    const told = (await changesOf(customer)).filter(({ type }) => type === "campaign.updated");
    expect(told).toMatchObject([
      { id, changes: { name: ["Old", "New"], variables: [null, { name: "you" }], recipient_count: [2, 3] } },
    ]);
    expect(Object.keys(told[0]?.changes ?? {})).toHaveLength(3);
    await expectLogToTell(customer);
  });

  it("The event log contains the match mode of a campaign's tags in the format of the API", async () => {
    const { customer } = await customerWith(0);
    await customer.call("POST", "/contacts", { phone: phoneEnding("1234"), tags: ["VIP"] });
    const id = await started(customer, { scheduled_at: inHours(1) });
    const modes = [{ filter_tags: ["VIP"] }, { filter_tags_mode: "any" }, { filter_tags_mode: null }];
    for (const sent of [...modes, { filter_tags_mode: null }, { filter_tags: null }]) await patch(customer, id, sent);
    const told = (await changesOf(customer)).filter(({ type }) => type === "campaign.updated");
    expect(told.map(({ changes }) => changes)).toEqual([
      { filter_tags: [null, ["VIP"]], filter_tags_mode: [null, "all"] },
      { filter_tags_mode: ["all", "any"] },
      { filter_tags_mode: ["any", "all"] },
      { filter_tags: [["VIP"], null], filter_tags_mode: ["all", null] },
    ]);
  });
});

describe("Invalid changes", () => {
  it("An invalid change to a campaign returns the same errors as an invalid start and changes nothing", async () => {
    const { customer } = await customerWith(2);
    const id = await started(customer, { scheduled_at: inHours(2), body: "Hi {{name}}" });
    const before = await campaign(customer, id);
    const refused = [
      [{ template_id: "tpl_unknown" }, 404, "not_found"],
      [{ segment_id: "seg_unknown" }, 404, "not_found"],
      [{ channel: "official" }, 422, "channel_mismatch"],
      [{ filter_tags: ["Nobody has it"] }, 400, "validation_failed"],
      [{ filter_status: "hot" }, 422, "no_recipients"],
      [{ filter_tags_mode: "any" }, 400, "validation_failed"],
      [{ variables: { nobody: "b" } }, 400, "validation_failed"],
      [{ variables: { name: "{{shoe_size}}" } }, 422, "missing_variable"],
      [{ scheduled_at: inHours(-1) }, 400, "validation_failed"],
      [{ scheduled_at: null }, 400, "validation_failed"],
      [{ send_before: inHours(1) }, 400, "validation_failed"],
      [{ colour: "red" }, 400, "validation_failed"],
      [{ name: "" }, 400, "validation_failed"],
    ] as const;
    for (const [body, status, code] of refused) {
      const answer = await patch(customer, id, body);
      expect(answer, JSON.stringify(body)).toMatchObject({ status, body: { error: { code } } });
    }
    expect(await campaign(customer, id)).toEqual(before);
  });

  it.each(["running", "paused", "completed", "cancelled"])(
    "A change to a campaign fails if the campaign is %s",
    async (status) => {
      const { world, customer } = await customerWith(2);
      const id = await started(customer);
      if (status === "paused") await change(customer, id, "pause");
      if (status === "completed") await world.settle();
      if (status === "cancelled") await change(customer, id, "cancel");
      expect(await patch(customer, id, { name: "New" })).toMatchObject({
        status: 409,
        body: { error: { code: "invalid_state", details: { status } } },
      });
      const unknown = { header: { media_id: "med_x" } };
      for (const body of [{ template_id: "tpl_x" }, { segment_id: "seg_x" }, unknown])
        expect(await patch(customer, id, body)).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
    },
  );

  it("A change to another workspace's campaign returns 404", async () => {
    const { world, customer } = await customerWith(2);
    const id = await started(customer, { scheduled_at: inHours(1) });
    expect((await patch(await world.customer(), id, { name: "New" })).status).toBe(404);
  });
});

describe("Repeated changes", () => {
  it("A repeated change to a campaign returns the same response and changes nothing", async () => {
    const { customer } = await customerWith(2);
    const id = await started(customer, { scheduled_at: inHours(1), name: "Old" });
    const key = { "Idempotency-Key": "change-1" };
    const first = await patch(customer, id, { name: "New" }, key);
    await patch(customer, id, { name: "Newer" });
    const again = await patch(customer, id, { name: "New" }, key);
    expect(again.body.campaign).toEqual(first.body.campaign);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect((await campaign(customer, id)).name).toBe("Newer");
  });

  it("A change to a campaign takes effect once if it is repeated after a storage failure", async () => {
    const { world, faults } = faultyWorld();
    const { customer } = await customerWith(2, world);
    const id = await started(customer, { scheduled_at: inHours(1), name: "Old" });
    vi.spyOn(console, "error").mockReturnValue();
    faults.next(/update "campaigns" set "name"/i);
    expect((await patch(customer, id, { name: "New" })).status).toBeGreaterThanOrEqual(500);
    expect((await campaign(customer, id)).name).toBe("Old");
    expect((await patch(customer, id, { name: "New" })).status).toBe(200);
    expect((await changesOf(customer)).filter(({ type }) => type === "campaign.updated")).toHaveLength(1);
  });
});

it("Concurrent changes to a campaign are all kept, and a start at the same time uses a change completely or not at all", async () => {
  const { world, customer } = await customerWith(2);
  const id = await started(customer, { scheduled_at: inHours(1), name: "Old" });
  const send_before = inHours(9);
  const answers = await Promise.all([
    patch(customer, id, { name: "New" }),
    patch(customer, id, { send_before }),
    patch(customer, id, { variables: { name: "you" } }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await shown(customer, id)).toMatchObject({ name: "New", send_before });
  world.advance(HOUR);
  const [late] = await Promise.all([
    patch(customer, id, { variables: { name: "all" } }),
    world.settle({ withinMs: 1000 }),
  ]);
  await world.settle();
  const said = late.status === 200 ? "Hello all" : "Hello you";
  expect((await customer.outbox()).map(({ body }: { body: string }) => body)).toEqual([said, said]);
  expect([200, 409]).toContain(late.status);
});

it("A draft accepts the same changes as a scheduled campaign, and its time can be removed", async () => {
  const { customer } = await customerWith(2, new World());
  const id = await draftOf(customer);
  expect((await shown(customer, id)).scheduled_at).not.toBeNull();
  expect((await patch(customer, id, { scheduled_at: null, name: "Now" })).body.campaign).toMatchObject({
    status: "draft",
    name: "Now",
    scheduled_at: null,
    recipient_count: 2,
  });
});
