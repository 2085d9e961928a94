import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../support/clock.ts";
import { agentOf, at, written } from "../support/inbox.ts";
import { fileOf, heads, png, storeFile } from "../support/media.ts";
import { textOf } from "../support/page-text.ts";
import type { Visitor } from "../support/visitor.ts";
import type { CustomerOptions } from "../support/seed.ts";
import { type Answer, type Customer, World } from "../support/world.ts";

beforeEach(stopClock);

/** Uploads as the script of a page does. */
const upload = (
  { workspaceId }: Customer,
  agent: Visitor,
  bytes: Uint8Array,
  { type = "image/png", name = "door.png", token = agent.token } = {},
): Promise<Answer> =>
  agent.request("POST", `/console/${workspaceId}/files?${new URLSearchParams({ filename: name }).toString()}`, bytes, {
    headers: {
      "Content-Type": type,
      "Content-Length": String(bytes.length),
      Accept: "application/json",
      "X-CSRF-Token": token,
    },
  });

/** Sends a file by a form without scripts. */
function sendForm(customer: Customer, agent: Visitor, id: string, fields: Record<string, string>, file: File | null) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ csrf_token: agent.token, ...fields })) form.append(name, value);
  form.append("file", file ?? new File([], ""));
  const request = new Request("http://tidings.test", { method: "POST", body: form });
  return request.arrayBuffer().then((body) =>
    agent.request("POST", at(customer, `/${id}/file`), body, {
      headers: { "Content-Type": request.headers.get("Content-Type") ?? "" },
    }),
  );
}

async function inThread(options: CustomerOptions = {}) {
  const customer = await new World().customer(options);
  const id = await written(customer);
  const { agent, page } = await agentOf(customer, id);
  return { customer, id, agent, page };
}

/** What was sent in a conversation, latest first. */
const sentIn = async (customer: Customer, id: string) => {
  const messages: Answer["body"][] = (await customer.call("GET", `/conversations/${id}/messages`)).body.messages;
  return messages.filter(({ from_contact }) => !from_contact).map(({ type, content }) => ({ type, content }));
};

describe("a file in the composer", () => {
  it("is uploaded on its own and sent as the kind of message that fits it, with the text as its caption", async () => {
    const { customer, id, agent } = await inThread();
    for (const [type, kind] of [
      ["image/png", "image"],
      ["video/mp4", "video"],
      ["application/pdf", "document"],
      ["image/webp", "document"],
    ] as const) {
      customer.world.advance(1000);
      const { status, body } = await upload(customer, agent, fileOf(heads[type]), { type, name: `a.${kind}` });
      expect([status, body.success, body.media.mime_type]).toEqual([200, true, type]);
      const sent = await agent.post(at(customer, `/${id}`), { text: "Look", media_id: body.media.id });
      expect([sent.status, sent.headers.get("Location")], kind).toEqual([303, at(customer, `/${id}`)]);
      const [last] = await sentIn(customer, id);
      expect(last).toMatchObject({ type: kind, content: { media_id: body.media.id, caption: "Look" } });
    }
    const page = await agent.get(at(customer, `/${id}`));
    expect(page.body).toContain('alt="Look" loading="lazy"');
    expect(page.body).toContain("<video");
    expect(page.body).toContain('download="a.document"');
  });

  it("is sent without a text; audio takes none", async () => {
    const { customer, id, agent } = await inThread();
    const { media } = (await upload(customer, agent, fileOf(heads["audio/ogg"]), { type: "audio/ogg" })).body;
    const refused = await agent.post(at(customer, `/${id}`), { text: "Listen", media_id: media.id });
    expect(refused.status).toBe(400);
    expect(textOf(refused)).toContain("Audio can't have a caption.");
    // The file and the text are still there.
    expect(refused.body).toContain(`name="media_id" value="${media.id}"`);
    expect(refused.body).toContain(">Listen</textarea>");
    expect((await agent.post(at(customer, `/${id}`), { text: "", media_id: media.id })).status).toBe(303);
    expect(await sentIn(customer, id)).toMatchObject([{ type: "audio", content: { media_id: media.id } }]);
  });

  it("is refused in words where it is none that can be sent", async () => {
    const { customer, agent } = await inThread();
    const disguised = await upload(customer, agent, fileOf("<html><script>alert(1)</script>"));
    expect([disguised.status, disguised.body.error.code]).toEqual([400, "validation_failed"]);
    expect(disguised.body.error.details[0].message).toMatch(/does not match its type/);
    expect((await upload(customer, agent, new Uint8Array())).body.error.details[0].message).toBe("The file is empty.");
    const page = await upload(customer, agent, fileOf("<html>"), { type: "text/html", name: "page.html" });
    expect([page.status, page.body.error.code]).toEqual([400, "validation_failed"]);
    expect(await customer.outbox()).toEqual([]);
  });

  it("needs a member, a CSRF token, and is nobody else's", async () => {
    const { customer, id, agent } = await inThread();
    expect((await upload(customer, agent, png(), { token: "wrong" })).status).toBe(403);
    const stranger = await (await customer.world.customer()).member("owner");
    expect((await upload(customer, stranger, png())).status).toBe(403);
    const other = await customer.world.customer();
    const theirs = await storeFile(other);
    const refused = await agent.post(at(customer, `/${id}`), { text: "Look", media_id: theirs.id });
    expect(refused.status).toBe(400);
    expect(textOf(refused)).toContain("The file is no longer available. Attach it again.");
    expect(await customer.outbox()).toEqual([]);
  });
});

describe("a file without scripts", () => {
  it("is sent by a form of its own, with a caption and a quote", async () => {
    const { customer, id, agent, page } = await inThread();
    expect(page.body).toContain("compose=file");
    const [{ id: message }] = (await customer.call("GET", `/conversations/${id}/messages`)).body.messages;
    const form = await agent.get(at(customer, `/${id}?compose=file&reply_to=${message}`));
    expect(form.body).toContain('enctype="multipart/form-data"');
    expect(form.body).toContain(`name="reply_to" value="${message}"`);
    const picture = new File([png(3000)], "door.png", { type: "image/png" });
    const sent = await sendForm(customer, agent, id, { caption: "Our door", reply_to: message }, picture);
    expect([sent.status, sent.headers.get("Location")]).toEqual([303, at(customer, `/${id}`)]);
    expect(await sentIn(customer, id)).toMatchObject([{ type: "image", content: { caption: "Our door" } }]);
  });

  it("is sent once by a form that is sent twice, and another file by itself", async () => {
    const { customer, id, agent } = await inThread();
    const { body } = await agent.get(at(customer, `/${id}?compose=file`));
    const [, once = ""] = /action="[^"]*\/file".*?name="once" value="([^"]*)"/s.exec(body) ?? [];
    expect(once).toMatch(/^form_/);
    const send = (size: number) =>
      sendForm(
        customer,
        agent,
        id,
        { once, caption: "Our door" },
        new File([png(size)], "a.png", { type: "image/png" }),
      );
    const answers = [...(await Promise.all([send(3000), send(3000)])), await send(3000)];
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await sentIn(customer, id)).toHaveLength(1);
    expect((await send(4000)).status).toBe(303);
    expect(await sentIn(customer, id)).toHaveLength(2);
  });

  it("shows its fault at the field", async () => {
    const { customer, id, agent } = await inThread();
    const none = await sendForm(customer, agent, id, { caption: "Our door" }, null);
    expect(none.status).toBe(400);
    expect(none.body).toContain('id="file-fault">Choose a file.');
    expect(none.body).toContain(">Our door</textarea>");
    const disguised = new File(["<html></html>"], "door.png", { type: "image/png" });
    expect((await sendForm(customer, agent, id, {}, disguised)).body).toMatch(
      /id="file-fault">The file does not match/,
    );
    const forged = await sendForm(customer, agent, id, { csrf_token: "wrong" }, disguised);
    expect(forged.status).toBe(403);
    expect(await customer.outbox()).toEqual([]);
  });
});
