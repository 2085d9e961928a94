import { beforeEach, expect, it } from "vitest";
import { change, numberOf, started } from "../../../support/campaigns.ts";
import { stopClock } from "../../../support/clock.ts";
import { png, uploadFile } from "../../../support/media.ts";
import { changesOf } from "../../../support/rebuild.ts";
import { onShard } from "../../../support/storage.ts";
import { findExternalTemplate } from "../../../support/templates.ts";
import { type Customer, World } from "../../../support/world.ts";

beforeEach(stopClock);

/** Returns the request of a campaign's copy. */
async function requestOf(customer: Customer, id: string) {
  const { body } = await change(customer, id, "duplicate");
  const [created] = (await changesOf(customer)).filter((event) => event.id === body.campaign.campaign_id);
  return created?.changes;
}

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000 + 7).toISOString();

it("A campaign that an earlier version stored is copied and sent with the same request", async () => {
  const world = new World();
  const customer = await world.customer({ channel: "official" });
  await customer.call("POST", "/contacts", { phone: numberOf(0), tags: ["VIP"] });
  const { media } = (await uploadFile(customer, png(), "image/png")).body;
  const id = await started(customer, {
    channel: "official",
    template_id: await findExternalTemplate(customer, "sandbox_photo"),
    name: "Spring",
    variables: ["{{name|there}}", "apples"],
    header: { media_id: media.id },
    buttons: [{ index: 0, value: "more" }],
    filter_tags: ["VIP"],
    scheduled_at: inHours(1),
    send_before: inHours(2),
  });
  const asked = await requestOf(customer, id);
  expect(asked).toMatchObject({ variables: [null, { 2: "apples" }], header: [null, { media_id: media.id }] });
  await onShard(customer, "UPDATE campaigns SET request = NULL WHERE id = ?", id);
  const copied = await requestOf(customer, id);
  expect(copied).toEqual({ ...asked, name: [null, "Spring (copy 2)"] });
  world.advance(3_600_007);
  await world.settle();
  expect(await customer.outbox()).toMatchObject([{ content: { header: { type: "image" }, buttons: [{}, {}] } }]);
});

it("If an earlier version changed the values of a campaign, the campaign's request contains the changed values", async () => {
  const customer = await new World().customer({ channel: "official" });
  await customer.call("POST", "/contacts", { phone: numberOf(0) });
  const { media } = (await uploadFile(customer, png(), "image/png")).body;
  const id = await started(customer, {
    channel: "official",
    template_id: await findExternalTemplate(customer, "sandbox_photo"),
    variables: ["Ada", "apples"],
    header: { media_id: media.id },
    scheduled_at: inHours(1),
  });
  await onShard(customer, "UPDATE campaigns SET variables = json_set(variables, '$.2', 'pears') WHERE id = ?", id);
  expect(await requestOf(customer, id)).toMatchObject({ variables: [null, { 2: "pears" }] });
});
