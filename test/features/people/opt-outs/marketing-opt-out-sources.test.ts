import { describe, expect, it } from "vitest";
import { addPeople, startCampaign } from "../../../support/campaigns.ts";
import { contactOf, preference, shop, tap, wa } from "../../../support/marketing.ts";
import { CloudStandIn } from "../../../support/providers/cloud.ts";
import { graphError } from "../../../support/providers/graph-error.ts";
import { playInEachTest, report } from "../../../support/providers/linked.ts";
import { sendTemplate } from "../../../support/templates.ts";
import { phoneEnding } from "../../../support/world.ts";

let cloud: CloudStandIn;

playInEachTest(() => (cloud = new CloudStandIn()));

describe("Stop button", () => {
  it.each(["Stop promotions", "Parar promoções", "Detener promociones", "PARAR PROMOCOES"])(
    "The stop button opts the person out of marketing (%s), and its message is stored",
    async (text) => {
      const { customer, promo } = await shop(cloud);
      const from = phoneEnding("1234");
      await report(customer, tap(cloud, from, text), 2);
      expect(await contactOf(customer, from)).toMatchObject({ marketing_opt_out: true, is_unsubscribed: false });
      const [conversation] = (await customer.call("GET", "/conversations")).body.conversations;
      expect(conversation).toMatchObject({ last_message: text, unread_count: 1 });
      expect((await sendTemplate(customer, promo, { to: from })).status).toBe(422);
      expect((await customer.send(from)).status).toBe(202);
    },
  );

  it("The stop button has no effect if the person later sent START or changed WhatsApp's own setting", async () => {
    const { customer } = await shop(cloud);
    const from = phoneEnding("1234");
    for (const resume of [() => cloud.inbound(from, "start"), () => preference(cloud, from, "resume")]) {
      await report(customer, tap(cloud, from, "Stop promotions"));
      expect((await contactOf(customer, from)).marketing_opt_out).toBe(true);
      customer.world.advance(2000);
      await report(customer, resume());
      expect((await contactOf(customer, from)).marketing_opt_out).toBe(false);
      customer.world.advance(2000);
    }
  });

  it.each(["More offers", "Stop", "Please stop promotions on Sundays"])(
    "A message without the stop button does not opt the person out of marketing: %s",
    async (text) => {
      const { customer } = await shop(cloud);
      const from = phoneEnding("1234");
      await report(customer, tap(cloud, from, text));
      expect((await contactOf(customer, from)).marketing_opt_out).toBe(false);
    },
  );
});

describe("Error 131050", () => {
  const details = "Unable to deliver the message. This recipient has chosen to stop receiving marketing messages.";

  it("Meta's error 131050 in the response to a send opts the contact out of marketing", async () => {
    const { customer, promo, receipt } = await shop(cloud);
    const to = phoneEnding("1234");
    cloud.next(() => graphError(131050, "Unable to deliver the message.", 400, details));
    const { message_id } = (await sendTemplate(customer, promo, { to })).body;
    await customer.world.settle();
    expect((await customer.message(message_id)).error).toMatchObject({ code: "unsubscribed", provider_code: "131050" });
    expect(await contactOf(customer, to)).toMatchObject({ marketing_opt_out: true, is_unsubscribed: false });
    expect((await sendTemplate(customer, promo, { to })).status).toBe(422);
    expect((await sendTemplate(customer, receipt, { to })).status).toBe(202);
  });

  it("Meta's error 131050 in a status opts the contact out of marketing, unless the person has opted in again since", async () => {
    const { customer, promo } = await shop(cloud);
    const to = phoneEnding("1234");
    await sendTemplate(customer, promo, { to });
    await customer.world.settle();
    const failed = (at: number) =>
      cloud.deliver(
        cloud.messages({
          statuses: [
            {
              id: cloud.handed[0]?.providerMessageId,
              status: "failed",
              timestamp: String(Math.floor(at / 1000)),
              recipient_id: wa(to),
              errors: [{ code: 131050, title: "Unable to deliver the message.", error_data: { details } }],
            },
          ],
        }),
      );
    const at = Date.now();
    await report(customer, failed(at), 2);
    expect((await contactOf(customer, to)).marketing_opt_out).toBe(true);
    customer.world.advance(5000);
    await report(customer, preference(cloud, to, "resume"));
    await report(customer, failed(at));
    expect((await contactOf(customer, to)).marketing_opt_out).toBe(false);
  });

  it("Meta's error 131050 in a campaign opts out only the contacts with this error", async () => {
    const { customer, promo } = await shop(cloud);
    await addPeople(customer, 3);
    cloud.next(() => graphError(131050, "Unable to deliver the message.", 400, details));
    await startCampaign(customer, { template_id: promo, channel: "official", variables: [] });
    await customer.world.settle();
    const { contacts } = (await customer.call("GET", "/contacts")).body;
    const out = contacts.filter((contact: { marketing_opt_out: boolean }) => contact.marketing_opt_out);
    expect(out).toHaveLength(1);
  });
});
