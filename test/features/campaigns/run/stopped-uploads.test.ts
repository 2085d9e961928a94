import { beforeEach, expect, it } from "vitest";
import { addPeople, campaign } from "../../../support/campaigns.ts";
import { stopClock } from "../../../support/clock.ts";
import { fileOf, heads, storeFile } from "../../../support/media.ts";
import { CloudStandIn } from "../../../support/providers/cloud.ts";
import { linkedCustomer, playInEachTest } from "../../../support/providers/linked.ts";

const MINUTE_MS = 60_000;

const template = {
  id: "1",
  name: "sale",
  language: "en_US",
  status: "APPROVED",
  category: "MARKETING",
  parameter_format: "POSITIONAL",
  components: [
    { type: "HEADER", format: "IMAGE", example: { header_handle: ["4::aW"] } },
    { type: "BODY", text: "Hi" },
  ],
};

let cloud: CloudStandIn;
playInEachTest(() => (cloud = new CloudStandIn()));
beforeEach(stopClock);

it("If a campaign with a file starts while SENDING is off, the time limit for its upload begins when SENDING is on again", async () => {
  cloud.templates = [template];
  const customer = await linkedCustomer(cloud);
  const { world } = customer;
  await customer.manage("POST", `/connections/${customer.connectionId}/sync-templates`);
  const header = { media_id: (await storeFile(customer, fileOf(heads["image/jpeg"], 40_000), "image/jpeg")).id };
  await addPeople(customer, 20);
  const [{ id: template_id }] = (await customer.call("GET", "/templates?source=external")).body.templates;
  const turn = (value: string) => Object.assign(world.env, { SENDING: value });
  const uploads = () => cloud.requests.filter(({ path }) => path.endsWith("/media")).length;
  const runMinutes = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      world.advance(MINUTE_MS);
      await world.cron();
      await world.settle({ withinMs: 0 });
    }
  };

  turn("off");
  const { body } = await customer.call("POST", "/campaigns", { template_id, channel: "official", header });
  await runMinutes(12);
  expect(uploads()).toBe(0);

  turn("on");
  const down = () => new Response("Bad gateway", { status: 502 });
  cloud.files.refusals.push(down, down);
  await runMinutes(3);
  expect(uploads()).toBe(3);
  await world.settle();
  expect(await campaign(customer, body.campaign_id)).toMatchObject({ status: "completed", counts: { sent: 20 } });
  expect([uploads(), cloud.handed.length]).toEqual([3, 20]);
});
