import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import { addPeople, campaignOf, numberOf } from "../../../support/campaigns.ts";
import { png, uploadFile } from "../../../support/media.ts";
import { findExternalTemplate, refusal } from "../../../support/templates.ts";
import { World } from "../../../support/world.ts";

beforeEach(stopClock);

describe("Campaign previews", () => {
  it("A campaign preview counts recipients and excluded contacts, returns the first texts and stores nothing", async () => {
    const world = new World();
    const customer = await world.customer({ key: { read_only: true } });
    await addPeople(customer, 7);
    const writer = (
      await customer.manage("POST", "/api-keys", { name: "Writer", connection_id: customer.connectionId })
    ).body.key;
    const template = { name: "Hi", body: "Hi {{first_name}} from {{company|us}}" };
    const { template: made } = (await world.request("POST", "/api/v1/templates", template, { token: writer })).body;
    const body = { template_id: made.id, channel: "unofficial" };
    const answer = await customer.call("POST", "/campaigns/preview", body);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      recipient_count: 7,
      excluded: { archived: 0, unsubscribed: 0, marketing_opt_out: 0, no_phone: 0, no_address: 0, duplicate: 0 },
    });
    expect(answer.body.samples).toHaveLength(5);
    expect(answer.body.samples[0]).toEqual({
      contact_id: expect.any(String),
      phone: numberOf(0),
      body: "Hi Person from us",
      content: null,
    });
    expect(await refusal(customer.call("POST", "/campaigns", body))).toMatchObject([403, "forbidden", null]);
    expect((await customer.call("GET", "/campaigns")).body.campaigns).toEqual([]);
  });

  it("A campaign preview contains the header and buttons of a provider's template, like a message", async () => {
    const customer = await new World().customer({ channel: "official" });
    await addPeople(customer, 1);
    const { id: media_id } = (await uploadFile(customer, png(), "image/png")).body.media;
    const answer = await customer.call("POST", "/campaigns/preview", {
      template_id: await findExternalTemplate(customer, "sandbox_photo"),
      channel: "official",
      variables: ["{{first_name}}"],
      header: { media_id },
      buttons: [{ index: 1, value: "{{first_name}}" }],
    });
    expect(answer.body.samples).toMatchObject([
      {
        body: "Hi Person, our new collection is here.",
        content: {
          name: "sandbox_photo",
          header: { type: "image", media_id },
          buttons: [{ index: 1, kind: "url", text: "Person" }],
        },
      },
    ]);
  });

  it("A campaign preview of an empty audience succeeds", async () => {
    const customer = await new World().customer();
    const answer = await customer.call("POST", "/campaigns/preview", await campaignOf(customer));
    expect(answer.body).toMatchObject({ recipient_count: 0, samples: [] });
  });
});
