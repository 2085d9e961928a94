import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../support/clock.ts";
import { faultOf } from "../support/campaign-pages.ts";
import { headerOf, holding } from "../support/template-forms.ts";
import type { Answer } from "../support/world.ts";
import { textOf } from "../support/page-text.ts";
import { desk, templateIdOf } from "../support/template-editor.ts";

beforeEach(stopClock);

describe("Templates stored at the provider", () => {
  it("A provider's template can be changed in the editor, and the provider reviews it again", async () => {
    const { customer, admin, at, submit } = await desk();
    const id = templateIdOf(
      await submit({ "footer.text": "Our shop", "buttons.0.type": "QUICK_REPLY", "buttons.0.text": "More" }),
    );
    await customer.world.settle();
    const form = await admin.get(`${at}/${id}/edit`);
    expect(form.body).toContain("our sale begins on {{2}}.</textarea>");
    expect(form.body).toContain('value="Our shop"');
    expect(form.body).toMatch(/name="body\.examples\.2"[^>]*value="Monday"/);
    const fields = {
      category: "MARKETING",
      layout: "message",
      "body.text": "Hello {{1}}, come by.",
      "body.examples.1": "Ada",
    };
    const refused = await admin.post(`${at}/${id}/revise`, {
      ...fields,
      "body.text": "Hello {{1}}, come by, {{3}}.",
      "body.examples.3": "x",
    });
    expect(refused.status).toBe(400);
    expect(faultOf(refused, "body-text")).toContain("{{2}} is missing");
    const sent = await admin.post(`${at}/${id}/revise`, fields);
    expect(sent.headers.get("Location")).toBe(`${at}/${id}`);
    const { template } = (await customer.call("GET", `/templates/${id}`)).body;
    expect(template).toMatchObject({ status: "PENDING", body: "Hello {{1}}, come by." });
    expect(template.components).toHaveLength(1);
  });

  it("If a colleague has changed a provider's template, an edit does not overwrite the change, and the form keeps the input", async () => {
    const { customer, admin, at, submit } = await desk();
    const id = templateIdOf(await submit());
    await customer.world.settle();
    const revisionIn = (page: string) => /name="revision" value="(\d+)"/.exec(page)?.[1] ?? "";
    const revision = revisionIn((await admin.get(`${at}/${id}/edit`)).body);
    const fields = { category: "MARKETING", layout: "message", "body.examples.1": "Ada" };
    const revise = (text: string, sent: string, below = "") =>
      admin.post(`${at}/${id}/revise${below}`, {
        ...fields,
        "body.text": text,
        revision: sent,
      });
    expect((await revise("Theirs, {{1}}.", revision)).status).toBe(303);
    await customer.world.settle();
    const preview = await revise("Mine, {{1}}, to be seen.", revision, "/preview");
    expect(revisionIn(preview.body)).toBe(revision);
    const refused = await revise("Mine, {{1}}, it is.", revision);
    expect(refused.status).toBe(412);
    expect(refused.body).toContain("Mine, {{1}}, it is.</textarea>");
    expect(textOf(refused)).toContain("Someone else changed this while you were editing.");
    expect((await revise("Mine, {{1}}, it is.", revisionIn(refused.body))).status).toBe(303);
    const { template } = (await customer.call("GET", `/templates/${id}`)).body;
    expect(template.body).toBe("Mine, {{1}}, it is.");
  });

  it("After a conflict, a template edit shows each changed field, and the user can save either value", async () => {
    const { customer, admin, at, submit } = await desk();
    const quick = (place: number, text: string) => ({
      [`buttons.${place}.type`]: "QUICK_REPLY",
      [`buttons.${place}.text`]: text,
    });
    const id = templateIdOf(await submit({ "footer.text": "Our shop", ...quick(0, "More"), ...quick(1, "Stop") }));
    await customer.world.settle();
    const own = { category: "MARKETING", layout: "message", "header.format": "NONE", "body.examples.1": "Ada" };
    const hiddenIn = ({ body }: Answer) =>
      Array.from(
        String(body).matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g),
        ([, name = "", value = ""]) => [name, value],
      ).filter(([name]) => !name?.startsWith("buttons."));
    const revise = (hidden: string[][], fields: Record<string, string>) =>
      admin.request(
        "POST",
        `${at}/${id}/revise`,
        new URLSearchParams([...hidden, ...Object.entries({ ...own, ...fields })]),
      );
    const made = hiddenIn(await admin.get(`${at}/${id}/edit`));
    const theirs = { "body.text": "Theirs, {{1}}.", "footer.text": "Our shop", ...quick(0, "See more") };
    expect((await admin.post(`${at}/${id}/revise`, { ...own, ...theirs })).status).toBe(303);
    await customer.world.settle();
    const mine = {
      "body.text": "Mine, {{1}}, it is.",
      "footer.text": "Our shop",
      ...quick(0, "More"),
      ...quick(1, "Stop it"),
    };
    const refused = await revise(made, mine);
    expect(refused.status).toBe(412);
    const text = textOf(refused);
    expect(text).toMatch(/Mine, \{\{1\}\}, it is\. Changed by someone else to “Theirs, \{\{1\}\}\.”\. Use their value/);
    expect(text).toContain("Changed by someone else to “See more”; previously “More”.");
    expect(text).toContain("Cleared by someone else. Use their value");
    expect(text.match(/(?:Changed|Cleared) by someone else/g)).toHaveLength(3);
    for (const kept of ["See more", "Stop it"]) expect(refused.body).toContain(`value="${kept}"`);
    const shown = [...hiddenIn(refused), ["theirs", "body.text"]];
    expect((await revise(shown, { ...mine, ...quick(0, "See more") })).status).toBe(303);
    const { template } = (await customer.call("GET", `/templates/${id}`)).body;
    expect(template.body).toBe("Theirs, {{1}}.");
    expect(JSON.stringify(template.components)).toMatch(/See more.*Stop it/);
  });

  it("If a colleague changed a button that the user removed, the template edit shows the colleague's change", async () => {
    const { customer, admin, at, submit } = await desk();
    const button = { "buttons.0.type": "QUICK_REPLY", "buttons.0.text": "More" };
    const id = templateIdOf(await submit(button));
    await customer.world.settle();
    const page = await admin.get(`${at}/${id}/edit`);
    const revision = /name="revision" value="(\d+)"/.exec(page.body)?.[1] ?? "";
    const own = { category: "MARKETING", "body.text": "Hello {{1}}, come by.", "body.examples.1": "Ada" };
    await admin.post(`${at}/${id}/revise`, { ...own, ...button, "buttons.0.text": "See more" });
    await customer.world.settle();
    const made = ["", "More"].map((value) => ["before.buttons.0.text", value]);
    const sent = [...Object.entries({ ...own, revision, csrf_token: admin.token }), ...made];
    const refused = await admin.request("POST", `${at}/${id}/revise`, new URLSearchParams(sent));
    expect(refused.status).toBe(412);
    expect(textOf(refused)).toContain("They also changed a button or card that you removed.");
  });

  it("A rejected template shows the provider's reason in the list and on its page", async () => {
    const { customer, admin, at, submit } = await desk();
    const id = templateIdOf(await submit({ name: "rejected_sale" }));
    await customer.world.settle();
    const reason = "The sandbox rejects templates";
    expect(textOf(await admin.get(at))).toContain(reason);
    expect(textOf(await admin.get(`${at}/${id}`))).toContain(`Rejection reason ${reason}`);
  });

  it("Deleting a provider's template also deletes it at the provider", async () => {
    const { customer, admin, at, submit, templates } = await desk();
    const id = templateIdOf(await submit());
    await customer.world.settle();
    expect(textOf(await admin.get(`${at}/${id}/delete`))).toContain("The provider also deletes it");
    await admin.post(`${at}/${id}/delete`);
    expect(await templates()).toEqual([]);
  });

  it("A template with parts that the editor does not support cannot be edited in the console", async () => {
    const { customer, template } = await holding([
      { type: "BODY", text: "Only today" },
      { type: "LIMITED_TIME_OFFER" },
    ]);
    const admin = await customer.member("admin");
    const path = `/console/${customer.workspaceId}/templates/${template}`;
    const answer = await admin.request("GET", `${path}/edit`);
    expect(answer.headers.get("Location")).toBe(path);
    expect(textOf(await admin.get(path))).toContain("edit all parts of this template here");
  });

  it("A template edit returns 404 in another workspace", async () => {
    const { admin, at } = await desk();
    const { template } = await holding([headerOf("IMAGE"), { type: "BODY", text: "Hello" }]);
    expect((await admin.get(`${at}/${template}/edit`)).status).toBe(404);
    expect((await admin.post(`${at}/${template}/revise`, { "body.text": "Mine" })).status).toBe(404);
  });
});
