import { beforeEach, describe, expect, it } from "vitest";
import { replyWithTemplate } from "../../../../src/features/messages/send/send-template.ts";
import { contextOf } from "../../../support/context.ts";
import { CloudStandIn } from "../../../support/providers/cloud.ts";
import { linkedCustomer, playInEachTest, report } from "../../../support/providers/linked.ts";
import { findExternalTemplate, refusal, sendTemplate } from "../../../support/templates.ts";
import { stopClock } from "../../../support/clock.ts";
import { type Customer, phoneEnding } from "../../../support/world.ts";

let cloud: CloudStandIn;
let customer: Customer;
let count = 0;

playInEachTest(() => (cloud = new CloudStandIn()));
beforeEach(async () => {
  stopClock();
  customer = await linkedCustomer(cloud);
  cloud.templates = [
    {
      id: "700",
      name: "login_code",
      language: "en_US",
      status: "APPROVED",
      category: "AUTHENTICATION",
      parameter_format: "POSITIONAL",
      components: [
        { type: "BODY", text: "*{{1}}* is your verification code." },
        { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: "Copy code" }] },
      ],
    },
  ];
  await customer.manage("POST", `/connections/${customer.connectionId}/sync-templates`);
});

/** Receives a message with the user id, and with the number if there is one. */
const write = (userId: string, phone?: string) => {
  const from = { from_user_id: userId, ...(phone && { from: phone.slice(1) }) };
  const contact = { user_id: userId, profile: { name: "Ann" }, ...(phone && { wa_id: phone.slice(1) }) };
  const message = { ...from, id: `wamid.code${count++}`, timestamp: "1739321024", type: "text", text: { body: "Hi" } };
  return report(customer, cloud.deliver(cloud.messages({ contacts: [contact], messages: [message] })));
};

const conversationOf = async () => (await customer.call("GET", "/conversations")).body.conversations[0];

describe("Login codes", () => {
  it("A login code to a person without a number is rejected for every kind of addressee", async () => {
    const userId = `US.${13_491_208_655_000 + count++}`;
    const id = await findExternalTemplate(customer, "login_code");
    const send = (to: object) => refusal(sendTemplate(customer, id, { ...to, variables: ["4711"] }));
    expect(await send({ user_id: userId })).toEqual([422, "unreachable", { contact_id: null }]);
    await write(userId);
    const { id: conversation, contact } = await conversationOf();
    const refused = [422, "unreachable", { contact_id: contact.id }];
    expect(await send({ user_id: userId })).toEqual(refused);
    expect(await send({ contact_id: contact.id })).toEqual(refused);
    const reply = replyWithTemplate(await contextOf(customer), conversation, { template_id: id, variables: ["4711"] });
    await expect(reply).rejects.toMatchObject({ code: "unreachable", details: { contact_id: contact.id } });
    expect(cloud.handed).toEqual([]);
  });

  it("A login code is sent to the number, even if the person last wrote by user id", async () => {
    const [userId, phone] = [`US.${13_491_208_655_000 + count++}`, phoneEnding("1234")];
    const id = await findExternalTemplate(customer, "login_code");
    await write(userId, phone);
    await write(userId);
    const { contact } = await conversationOf();
    for (const to of [{ user_id: userId }, { contact_id: contact.id }])
      expect((await sendTemplate(customer, id, { ...to, variables: ["4711"] })).status).toBe(202);
    await customer.world.settle();
    expect(cloud.handed.map(({ to }) => to)).toEqual([phone, phone]);
  });
});
