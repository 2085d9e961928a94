import { describe, expect, it } from "vitest";
import { CloudStandIn } from "../../../support/providers/cloud.ts";
import { linkedCustomer, playInEachTest, report, transcript } from "../../../support/providers/linked.ts";
import { chatOf, WahaStandIn } from "../../../support/providers/waha.ts";
import { json } from "../../../support/providers/stand-in.ts";
import { type Answer, type Customer, phoneEnding } from "../../../support/world.ts";

const single = async (customer: Customer): Promise<Answer["body"]> => {
  const [conversation, ...others] = await transcript(customer);
  expect(others).toEqual([]);
  return conversation;
};

describe("Edits and deletions of the workspace's own messages", () => {
  describe("On whatsapp_cloud", () => {
    let cloud: CloudStandIn;
    playInEachTest(() => (cloud = new CloudStandIn()));

    const echo = (to: string, content: object) =>
      cloud.deliver({
        field: "smb_message_echoes",
        value: {
          messaging_product: "whatsapp",
          metadata: { display_phone_number: "15550783881", phone_number_id: cloud.settings.phone_number_id },
          message_echoes: [
            {
              from: "15550783881",
              to: to.replace("+", ""),
              timestamp: String(Math.floor(Date.now() / 1000)),
              ...content,
            },
          ],
        },
      });

    it("The workspace can edit and delete its own message in the WhatsApp app, and the recipient cannot", async () => {
      const customer = await linkedCustomer(cloud);
      const to = phoneEnding("1234");
      await report(customer, echo(to, { id: "wamid.own1", type: "text", text: { body: "Oepn" } }));
      customer.world.advance(5000);
      const edit = { original_message_id: "wamid.own1", message: { type: "text", text: { body: "Hacked" } } };
      await report(customer, cloud.deliver(cloud.message(to, { type: "edit", edit })));
      expect((await single(customer)).messages).toMatchObject([{ body: "Oepn", edited_at: null }]);
      const own = { original_message_id: "wamid.own1", message: { type: "text", text: { body: "Open" } } };
      await report(customer, echo(to, { id: "wamid.own2", type: "edit", edit: own }));
      await report(
        customer,
        echo(to, { id: "wamid.own3", type: "revoke", revoke: { original_message_id: "wamid.none" } }),
      );
      expect((await single(customer)).messages).toMatchObject([{ body: "Open", from_contact: false }]);
    });

    it("An edit of a message that Tidings does not have is stored as a new message of the workspace", async () => {
      const customer = await linkedCustomer(cloud);
      await report(customer, cloud.deliver(cloud.message(phoneEnding("1234"), { type: "edit", edit: {} })));
      expect((await single(customer)).messages).toMatchObject([{ body: "[edit]" }]);
    });
  });

  describe("On waha", () => {
    let waha: WahaStandIn;
    playInEachTest(() => (waha = new WahaStandIn()));

    const revoked = (chat: string, bare: string, fromMe: boolean) => {
      const me = "15550783881@c.us";
      const after = waha.message(chat, "", {
        id: `${fromMe}_${chat}_BBBB1`,
        fromMe,
        ...(fromMe && { from: me, to: chat }),
      });
      return waha.deliver("message.revoked", { after, before: null, revokedMessageId: bare });
    };

    it(
      "On WAHA, only the workspace's phone can delete the workspace's message, even if the deletion arrives before the response to the send",
      { tags: "long" },
      async () => {
        const customer = await linkedCustomer(waha);
        const to = phoneEnding("1234");
        const answered = (bare: string) => () => json({ id: `true_${chatOf(to)}_${bare}`, fromMe: true }, 201);
        waha.next(answered("3EB0A1"), answered("3EB0A2"));
        await report(customer, revoked(chatOf(to), "3EB0A1", true));
        const { message_id } = (await customer.send(to, "Oops")).body;
        await customer.world.settle();
        expect(await customer.message(message_id)).toMatchObject({ body: "Oops", revoked_at: null });
        await customer.world.cron();
        expect(await customer.message(message_id)).toMatchObject({
          body: "[deleted message]",
          revoked_at: expect.any(String),
          versions: [{ body: "Oops" }],
        });
        const second = (await customer.send(to, "Again")).body;
        await customer.world.settle();
        await report(customer, revoked(chatOf(to), "3EB0A2", false));
        await customer.world.cron();
        expect(await customer.message(second.message_id)).toMatchObject({ body: "Again", revoked_at: null });
      },
    );

    it("An edit or deletion from a group does not change the workspace's WAHA message", async () => {
      const customer = await linkedCustomer(waha);
      const answer = await report(customer, revoked("120363123456789@g.us", "AAAA", false));
      expect(answer.body).toMatchObject({ events: 0 });
    });
  });
});
