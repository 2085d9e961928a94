import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../support/clock.ts";
import { agentOf, at, written } from "../support/inbox.ts";
import { fileOf, heads, png, storeFile } from "../support/media.ts";
import { textOf } from "../support/page-text.ts";
import type { Visitor } from "../support/visitor.ts";
import type { CustomerOptions } from "../support/seed.ts";
import { type Answer, type Customer, World } from "../support/world.ts";

beforeEach(stopClock);

/** Uploads a file with the same request as the page's script. */
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

async function inThread(options: CustomerOptions = {}) {
  const customer = await new World().customer(options);
  const id = await written(customer);
  const { agent, page } = await agentOf(customer, id);
  return { customer, id, agent, page };
}

const sentIn = async (customer: Customer, id: string) => {
  const messages: Answer["body"][] = (await customer.call("GET", `/conversations/${id}/messages`)).body.messages;
  return messages.filter(({ from_contact }) => !from_contact).map(({ type, content }) => ({ type, content }));
};

describe("Files in the composer", () => {
  it("A file in the composer is sent as the kind of message that fits it, with the text as caption", async () => {
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

  it("A file in the composer can be sent without a text, and an audio file with a text is rejected", async () => {
    const { customer, id, agent } = await inThread();
    const { media } = (await upload(customer, agent, fileOf(heads["audio/ogg"]), { type: "audio/ogg" })).body;
    const refused = await agent.post(at(customer, `/${id}`), { text: "Listen", media_id: media.id });
    expect(refused.status).toBe(400);
    expect(textOf(refused)).toContain("Audio can't have a caption.");
    expect(refused.body).toContain(`name="media_id" value="${media.id}"`);
    expect(refused.body).toContain(">Listen</textarea>");
    expect((await agent.post(at(customer, `/${id}`), { text: "", media_id: media.id })).status).toBe(303);
    expect(await sentIn(customer, id)).toMatchObject([{ type: "audio", content: { media_id: media.id } }]);
  });

  it("A file that cannot be sent shows the reason", async () => {
    const { customer, agent } = await inThread();
    const disguised = await upload(customer, agent, fileOf("<html><script>alert(1)</script>"));
    expect([disguised.status, disguised.body.error.code]).toEqual([400, "validation_failed"]);
    expect(disguised.body.error.details[0].message).toMatch(/does not match its type/);
    expect((await upload(customer, agent, new Uint8Array())).body.error.details[0].message).toBe("The file is empty.");
    const page = await upload(customer, agent, fileOf("<html>"), { type: "text/html", name: "page.html" });
    expect([page.status, page.body.error.code]).toEqual([400, "validation_failed"]);
    expect(await customer.outbox()).toEqual([]);
  });

  it("A file upload requires a member and a CSRF token, and the file belongs to the workspace", async () => {
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
