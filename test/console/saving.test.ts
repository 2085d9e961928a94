import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../support/clock.ts";
import { textOf } from "../support/page-text.ts";
import { type Answer, phoneEnding, World } from "../support/world.ts";

vi.setConfig({ testTimeout: 30_000 });
beforeEach(stopClock);

function hiddenFields({ body }: Answer, action: string): Record<string, string> {
  const form =
    String(body)
      .split("<form ")
      .find((part) => part.includes(`action="${action}"`)) ?? "";
  const inputs = form.split("</form>")[0]?.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g) ?? [];
  return Object.fromEntries(Array.from(inputs, ([, name = "", value = ""]) => [name, value]));
}

async function editedReply() {
  const customer = await new World().customer();
  const agent = await customer.member("agent");
  const reply = { shortcut: "hours", body: "We are open." };
  const { id } = (await customer.call("POST", "/canned-replies", reply)).body.canned_reply;
  const at = `/console/${customer.workspaceId}/settings/canned-replies`;
  return { customer, agent, at, one: `${at}/${id}`, api: `/canned-replies/${id}` };
}

const beforeOf = (values: Record<string, string>): [string, string][] =>
  Object.entries(values).flatMap(([name, value]) => [
    [`before.${name}`, ""],
    [`before.${name}`, value],
  ]);

describe("Forms", () => {
  it("A form that is sent twice takes effect once, unless its fields were changed in between", async () => {
    const { customer, agent, at } = await editedReply();
    const fields = { ...hiddenFields(await agent.get(at), at), shortcut: "bye", body: "Good bye." };
    const answers = await Promise.all([agent.post(at, fields), agent.post(at, fields), agent.post(at, fields)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect((await agent.post(at, { ...fields, shortcut: "tschüss" })).status).toBe(303);
    const { canned_replies: all } = (await customer.call("GET", "/canned-replies")).body;
    const shortcuts = all.map(({ shortcut }: { shortcut: string }) => shortcut);
    expect(new Set(shortcuts)).toEqual(new Set(["hours", "bye", "tschüss"]));
    expect(shortcuts).toHaveLength(3);
  });

  it("A form shows another member's change, and the user can save either value", async () => {
    const { customer, agent, one, api } = await editedReply();
    const hidden = hiddenFields(await agent.get(one), one);
    const { csrf_token = "", once = "", revision = "" } = hidden;
    expect(revision).toBe("1");
    await customer.call("PATCH", api, { shortcut: "opening", body: "We are closed." });
    const typed = new URLSearchParams([
      ...Object.entries({ csrf_token, once, revision, shortcut: "hours", body: "We are open from 9." }),
      ...beforeOf({ shortcut: "hours", body: "We are open." }),
    ]);
    const refused = await agent.request("POST", one, typed.toString());
    expect(refused.status).toBe(412);
    const text = textOf(refused);
    expect(text).toContain("Someone else changed this while you were editing.");
    expect(text).toContain("Changed by someone else to “opening”; previously “hours”.");
    expect(text).toContain("Changed by someone else to “We are closed.”");
    expect(String(refused.body)).toContain("We are open from 9.");
    expect((await customer.call("GET", api)).body.canned_reply.body).toBe("We are closed.");

    const anew = hiddenFields(refused, one);
    expect(anew["revision"]).toBe("2");
    const chosen = new URLSearchParams([
      ...Object.entries({ csrf_token, once: anew["once"] ?? "", revision: "2", shortcut: "opening", body: "Mine" }),
      ...beforeOf({ shortcut: "opening", body: "We are closed." }),
      ["theirs", "body"],
    ]);
    expect((await agent.request("POST", one, chosen.toString())).status).toBe(303);
    expect((await customer.call("GET", api)).body.canned_reply).toMatchObject({
      shortcut: "opening",
      body: "We are closed.",
    });
  });

  it("Undo can restore a deleted canned reply and an archived contact", async () => {
    const { customer, agent, at, one } = await editedReply();
    await agent.post(`${one}/delete`);
    const part = await agent.request("GET", at, undefined, { headers: { "X-Refresh": "parts" } });
    expect(textOf(part)).not.toContain("/hours deleted."); // A part of a page does not show the notice. The next whole page shows it.
    const undo = await agent.get(at);
    expect(textOf(undo)).toContain("/hours deleted. Undo");
    await agent.post(at, { shortcut: "hours", body: "We are open." });
    expect((await customer.call("GET", "/canned-replies")).body.canned_replies).toHaveLength(1);
    const { id } = (await customer.call("POST", "/contacts", { phone: phoneEnding("1234") })).body.contact;
    const contact = `/console/${customer.workspaceId}/contacts/${id}`;
    await agent.post(`${contact}/archive`);
    expect(String((await agent.get(contact)).body)).toContain(`action="${contact}/restore"`);
  });

  it("A script receives the redirect as JSON, and a signed-out user sees that the form was not sent", async () => {
    const { agent, at } = await editedReply();
    const fields = { ...hiddenFields(await agent.get(at), at), shortcut: "bye", body: "Good bye." };
    const saved = await agent.post(at, fields, { headers: { "X-Form": "save" } });
    expect([saved.status, saved.body]).toEqual([200, { success: true, redirect: at }]);
    agent.cookies.clear();
    const headers = { Referer: `http://tidings.test${at}` };
    const lost = await agent.post(at, fields, { headers });
    expect(lost.headers.get("Location")).toBe(`/console/sign-in?next=${encodeURIComponent(at)}&unsent=form`);
    const page = await agent.get(lost.headers.get("Location") ?? "");
    expect(textOf(page)).toContain("Your session ended before the form was sent.");
    const script = await agent.post(at, fields, { headers: { Accept: "application/json, text/html" } });
    expect([script.status, script.body.error.code]).toEqual([401, "unauthorized"]);
  });
});

describe("Notes and canned replies in a conversation", () => {
  it("A note is shown as a team note with its mentions, and the composer offers canned replies", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent", "Bo Lima");
    await customer.receive(phoneEnding("1234"), "Hi", "Ada Okafor");
    await customer.call("POST", "/canned-replies", { shortcut: "hi", body: "Hello {{first_name|there}}!" });
    const [{ id }] = (await customer.call("GET", "/conversations")).body.conversations;
    const at = `/console/${customer.workspaceId}/inbox/${id}`;
    expect(textOf(await agent.get(`${at}?compose=note`))).toContain("Only visible to your team.");
    await agent.post(`${at}/note`, { body: "Call back, @Bo Lima <b>" });
    const thread = await agent.get(at);
    expect(String(thread.body)).toContain("<mark>@Bo Lima</mark> &lt;b&gt;");
    expect(textOf(thread)).toContain("Bo Lima · Team note");
    const offered = await agent.get(`${at}/canned-replies`);
    expect(offered.body.suggestions).toMatchObject([{ name: "hi", text: "Hello Ada!" }]);
    expect((await agent.get(`${at}/members`)).body.suggestions).toMatchObject([{ name: "Bo Lima" }]);
    const { canned_replies: all } = (await customer.call("GET", "/canned-replies")).body;
    const begun = await agent.get(`${at}?compose=canned&canned=${all[0].id}`);
    expect(String(begun.body)).toContain("Hello Ada!</textarea>");
    expect((await customer.outbox()).length).toBe(0);
  });
});
