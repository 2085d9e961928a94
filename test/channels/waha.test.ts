import { describe, expect, it } from "vitest";
import { waha } from "../../src/channels/waha/waha.ts";
import {
  connectionOf,
  directIo,
  linkedCustomer,
  playInEachTest,
  report,
  transcript,
  UPSTREAM,
} from "../support/providers/linked.ts";
import { json } from "../support/providers/stand-in.ts";
import { chatOf, WahaStandIn } from "../support/providers/waha.ts";
import { onShard } from "../support/storage.ts";
import { type Customer, phoneEnding } from "../support/world.ts";

let server: WahaStandIn;

playInEachTest(() => (server = new WahaStandIn()));

const early = (customer: Customer) =>
  onShard(customer, "SELECT * FROM early_statuses WHERE workspace_id = ?", customer.workspaceId);

describe("Sends", () => {
  it("A text message through WAHA matches WAHA's reference", async () => {
    const customer = await linkedCustomer(server);
    await customer.send("+14155550100", "Hi 👋");
    expect(server.handed[0]?.request).toEqual({ session: "default", chatId: "14155550100@c.us", text: "Hi 👋" });
    expect(server.requests.at(-1)).toMatchObject({ method: "POST", path: "/api/sendText" });
  });

  it.each([
    ["WEBJS", { id: { fromMe: true, remote: "1@c.us", id: "3EB0A", _serialized: "true_1@c.us_3EB0A" } }],
    ["NOWEB", { key: { remoteJid: "1@s.whatsapp.net", fromMe: true, id: "3EB0A" }, status: "PENDING" }],
    ["GOWS", { id: "true_1@c.us_3EB0A", _data: {} }],
  ])("The message id is read from the send response of the WAHA engine %s", async (_, answer) => {
    server.next(() => json(answer, 201));
    const outcome = await waha.send(
      { id: "conn_1", config: server.config(`${UPSTREAM}/`) },
      { id: "msg_1", to: "+1", body: "Hi", attempt: 1 },
      directIo(),
    );
    expect(outcome).toEqual({
      kind: "accepted",
      providerMessageId: "true_1@c.us_3EB0A",
      providerKey: "true_3EB0A",
    });
  });

  it("A send waits while the WAHA session is down, and the connection shows the reason", async () => {
    const customer = await linkedCustomer(server);
    server.sessionStatus = "SCAN_QR_CODE";
    const { message_id } = (await customer.send(phoneEnding("1234"))).body;
    expect((await customer.message(message_id)).delivery).toBe("queued");
    expect(await connectionOf(customer)).toMatchObject({
      status: "disconnected",
      status_detail: "The session waits for its QR code to be scanned.",
    });
    server.sessionStatus = "WORKING";
    customer.world.advance(1000);
    await report(customer, server.deliver("session.status", { name: "default", status: "WORKING" }));
    await customer.world.settle();
    expect((await customer.message(message_id)).delivery).toBe("sent");
    expect(server.handed).toHaveLength(1);
  });
});

describe("WAHA sessions", () => {
  it.each([
    ["STOPPED", "disconnected"],
    ["STARTING", "disconnected"],
    ["SCAN_QR_CODE", "disconnected"],
    ["PASSKEY_REQUIRED", "disconnected"],
    ["PASSKEY_CONFIRMATION_REQUIRED", "disconnected"],
    ["FAILED", "error"],
  ])("A WAHA session in state %s makes the connection %s until the session works again", async (session, status) => {
    const customer = await linkedCustomer(server);
    const tell = (name: string, at: number) =>
      report(customer, server.deliver("session.status", { name: "default", status: name }, { timestamp: at }));
    await tell(session, Date.now());
    expect(await connectionOf(customer)).toMatchObject({ status, status_detail: expect.stringContaining("session") });
    customer.world.advance(1000);
    await tell("WORKING", Date.now());
    // Events arrive in any order. This event is older than the stored status.
    await tell(session, Date.now() - 500);
    expect(await connectionOf(customer)).toMatchObject({ status: "active", status_detail: null });
  });

  it("If a WAHA session does not work, the connection test fails and stores the status", async () => {
    const customer = await linkedCustomer(server);
    server.sessionStatus = "STOPPED";
    const answer = await customer.manage("POST", `/connections/${customer.connectionId}/test`);
    expect(answer.body.error.details).toEqual({
      provider: "waha",
      provider_code: "STOPPED",
      detail: "The session is stopped.",
    });
    expect((await connectionOf(customer)).status).toBe("disconnected");
  });

  it("Events of a WAHA session with another name than the connection's session are skipped", async () => {
    const customer = await linkedCustomer(server);
    const foreign = server.deliver("session.status", { name: "x", status: "FAILED" }, { session: "x" });
    expect((await report(customer, foreign)).body.events).toBe(0);
  });
});

describe("Inbound messages", () => {
  const at = chatOf("+14155550177");
  it.each([
    ["a photo", { hasMedia: true, media: { mimetype: "image/jpeg", filename: null }, body: "Look" }, "[image] Look"],
    [
      "a voice message",
      { hasMedia: true, media: { mimetype: "audio/ogg" }, _data: { type: "ptt" }, body: "" },
      "[voice message]",
    ],
    [
      "a file",
      { hasMedia: true, media: { mimetype: "application/pdf", filename: "a.pdf" }, body: "" },
      "[document] a.pdf",
    ],
    [
      "a place",
      { location: { description: "Home", latitude: "37.4", longitude: "-122" }, body: "/9j/4AAQ" },
      "[location] Home, 37.4, -122",
    ],
    [
      "a card",
      { vCards: ["BEGIN:VCARD\nVERSION:3.0\nFN:Jane Doe\nTEL;waid=1555:+1 555\nEND:VCARD"] },
      "[contact] Jane Doe +1 555",
    ],
    ["nothing to read", { body: null, _data: { type: "poll_creation" } }, "[poll creation]"],
  ])("An inbound WAHA message of kind %s is stored with its content as a readable line", async (_, more, body) => {
    const customer = await linkedCustomer(server);
    await report(customer, server.deliver("message", server.message(at, "", more)));
    expect(await transcript(customer)).toMatchObject([{ messages: [{ body, from_contact: true }] }]);
  });

  it("An inbound WAHA message is stored once, although both message and message.any report it", async () => {
    const customer = await linkedCustomer(server);
    const payload = server.message(at, "Hi");
    for (const event of ["message.any", "message"]) await report(customer, server.deliver(event, payload), 2);
    expect(await transcript(customer)).toMatchObject([{ unread_count: 1 }]);
  });

  it("A WAHA message in a group, a status broadcast or a channel creates no contact", async () => {
    const customer = await linkedCustomer(server);
    for (const chat of ["12036302@g.us", "status@broadcast", "12036399@newsletter", "0@c.us", "99@broadcast"]) {
      const more = { participant: at, to: chat };
      for (const event of ["message", "message.any"]) {
        await report(customer, server.deliver(event, server.message(chat, "Hi all", more)));
      }
    }
    expect(await onShard(customer, "SELECT * FROM contacts WHERE workspace_id = ?", customer.workspaceId)).toEqual([]);
  });

  it("A WAHA message from a hidden number is stored under its hidden id, and replies go to the chat of this id", async () => {
    const customer = await linkedCustomer(server);
    const chat = "123456789012345@lid";
    await report(customer, server.deliver("message", server.message(chat, "Hi")));
    await report(customer, server.deliver("message", server.message(chat, "Again")));
    const [conversation, ...others] = await transcript(customer);
    expect([others, conversation.contact.phone, conversation.unread_count]).toEqual([[], null, 2]);
    await customer.call("POST", `/conversations/${conversation.id}/messages`, { text: "Hello" });
    expect(server.handed[0]?.request.chatId).toBe(chat);
  });

  it("An inbound WAHA message can be a reaction", async () => {
    const customer = await linkedCustomer(server);
    const payload = server.message(at, "", { reaction: { text: "🙏", messageId: "true_1@c.us_A" } });
    await report(customer, server.deliver("message.reaction", payload));
    expect(await transcript(customer)).toMatchObject([{ last_message: "[reaction] 🙏" }]);
  });
});

describe("Acknowledgements", () => {
  it("If WAHA acknowledges a message before the result of its send is stored, the acknowledgement is kept and applied later", async () => {
    const customer = await linkedCustomer(server);
    const to = phoneEnding("1234");
    const message = { providerMessageId: `true_${chatOf(to)}_3EB0EARLY`, to: chatOf(to), request: null };
    for (const status of ["delivered", "sent", "delivered"] as const) {
      await report(customer, server.status(message, "", status), 2);
    }
    expect(await early(customer)).toHaveLength(1);
    server.next(() => json({ id: message.providerMessageId }, 201));
    const { message_id } = (await customer.send(to)).body;
    expect(await customer.message(message_id)).toMatchObject({
      delivery: "delivered",
      delivered_at: expect.any(String),
    });
    expect(await early(customer)).toEqual([]);
  });

  it("A WAHA acknowledgement that belongs to no message is deleted after a day", async () => {
    const customer = await linkedCustomer(server);
    await report(customer, server.status({ providerMessageId: "true_1@c.us_X", to: "", request: null }, "", "read"));
    customer.world.advance(90_000_000);
    await customer.world.cron();
    expect(await early(customer)).toEqual([]);
  });

  it("A WAHA acknowledgement of a received message or of a message in a group is skipped", async () => {
    const customer = await linkedCustomer(server);
    const payload = { from: "", to: "", ack: 3, ackName: "READ" };
    for (const more of [
      { id: "false_1@c.us_X", fromMe: false },
      { id: "true_1203@g.us_X_99@c.us", fromMe: true },
    ]) {
      expect((await report(customer, server.deliver("message.ack", { ...payload, ...more }))).body.events).toBe(0);
    }
  });
});
