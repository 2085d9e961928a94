import { describe, expect, it } from "vitest";
import type { Visitor } from "../support/visitor.ts";
import { type Answer, World } from "../support/world.ts";

/** Submits the hidden fields of the form with this action. */
function confirm(admin: Visitor, action: string, { body }: Answer): Promise<Answer> {
  const form: string = body.split(`action="${action}"`)[1].split("</form>")[0];
  const inputs = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  const fields = Array.from(inputs, ([, name = "", value = ""]) => [name, value]);
  return admin.request("POST", action, new URLSearchParams(fields));
}

async function likedDrinks(type: "select" | "multi_select") {
  const { customer, admin, at } = await visit();
  const field = { field_key: "likes", label: "Likes", type, options: ["Tea", "Coffee", "Milk"] };
  const { id } = (await customer.call("POST", "/custom-fields", field)).body.custom_field;
  const contacts = ["Tea", "Tea", "Coffee"].map((likes, index) => ({
    email: `${index}@example.com`,
    custom_fields: { likes: type === "select" ? likes : [likes, "Milk"] },
  }));
  await customer.call("POST", "/contacts/batch", { contacts });
  const likes = async () =>
    (await customer.call("GET", "/contacts")).body.contacts.map((each: Answer["body"]) => each.custom_fields.likes);
  const page = `${at}/custom-fields/${id}`;
  const remove = () => {
    const before = [
      ["before.label", "Likes"],
      ["before.options", "Tea\nCoffee\nMilk"],
    ].flatMap(([name = "", value = ""]) => ["", value].map((each) => [name, each]));
    const changed = [
      ["label", "Drinks"],
      ["options", "Coffee\nMilk"],
    ];
    const sent = [["csrf_token", admin.token], ...changed, ...before];
    return admin.request("POST", page, new URLSearchParams(sent));
  };
  const options = async () => (await customer.call("GET", "/custom-fields")).body.custom_fields[0].options;
  return { customer, admin, id, page, remove, likes, options };
}

async function visit() {
  const customer = await new World().customer();
  const admin = await customer.member("admin");
  return { customer, admin, at: `/console/${customer.workspaceId}/settings` };
}

describe("Tags page", () => {
  it("A tag can be created, renamed, recoloured and deleted in the console", async () => {
    const { customer, admin, at } = await visit();
    const tags = async () => (await customer.call("GET", "/tags")).body.tags;
    expect((await admin.get(`${at}/tags`)).body).toContain("No tags yet");

    await admin.post(`${at}/tags`, { name: "VIP", color: "#2563eb" });
    expect((await admin.get(`${at}/tags`)).body).toContain("VIP created.");
    const [{ id }] = await tags();
    await admin.post(`${at}/tags/${id}`, { name: "Regular", color: "#112233" });
    expect((await admin.get(`${at}/tags`)).body).toContain("Regular saved.");
    expect(await tags()).toMatchObject([{ id, name: "Regular", color: "#112233" }]);

    await admin.post(`${at}/tags/${id}/delete`);
    expect((await admin.get(`${at}/tags`)).body).toContain("Regular deleted.");
    expect(await tags()).toEqual([]);
  });

  it("A tag form shows an error next to the name if another tag has this name", async () => {
    const { customer, admin, at } = await visit();
    await customer.call("POST", "/tags", { name: "VIP" });
    const second = (await customer.call("POST", "/tags", { name: "Regular" })).body.tag;
    for (const path of ["/tags", `/tags/${second.id}`]) {
      const refused = await admin.post(at + path, { name: "vip", color: "#112233" });
      expect(refused.status).toBe(409);
      expect(refused.body).toMatch(/id="field-name-fault">Another tag has this name\./);
      expect(refused.body).toContain('value="vip"');
      expect(refused.body).toContain('value="#112233"');
    }
  });

  it("A tag cannot have an empty name or an invalid colour", async () => {
    const { customer, admin, at } = await visit();
    const { id } = (await customer.call("POST", "/tags", { name: "VIP" })).body.tag;
    const refused = await admin.post(`${at}/tags/${id}`, { name: " ", color: "red" });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatch(/id="field-name-fault">Must not be empty\./);
    expect(refused.body).toMatch(/id="field-color-fault">Must be a color, like/);
  });
});

describe("Custom field pages", () => {
  it("A custom field of every type can be created, and selects have choices", async () => {
    const { customer, admin, at } = await visit();
    expect((await admin.get(`${at}/custom-fields`)).body).toContain("No custom fields yet");
    const choices = { type: "select", options: "S\r\n M \r\n\r\nL" };
    await admin.post(`${at}/custom-fields/new`, { field_key: "size", label: "Shoe size", ...choices });
    await admin.post(`${at}/custom-fields/new`, { field_key: "since", label: "Since", type: "date", options: "left" });
    expect((await admin.get(`${at}/custom-fields`)).body).toContain("Since created.");
    expect((await customer.call("GET", "/custom-fields")).body.custom_fields).toMatchObject([
      { field_key: "since", type: "date", options: null },
      { field_key: "size", label: "Shoe size", type: "select", options: ["S", "M", "L"] },
    ]);
  });

  it("A custom field form shows each error next to its field", async () => {
    const { customer, admin, at } = await visit();
    await customer.call("POST", "/custom-fields", { field_key: "size", label: "Size", type: "text" });
    const refuse = async (fields: Record<string, string>, status: number, field: string, said: string) => {
      const sent = { field_key: "color", label: "Colour", type: "select", options: "red", ...fields };
      const refused = await admin.post(`${at}/custom-fields/new`, sent);
      expect(refused.status).toBe(status);
      expect(refused.body).toContain(`id="field-${field}-fault">${said}`);
    };
    await refuse({ field_key: "size" }, 409, "field_key", "Another custom field has this key.");
    await refuse({ field_key: "Farbe!" }, 400, "field_key", "Must have 1 to 50 characters of a–z");
    await refuse({ label: "" }, 400, "label", "This field is required.");
    await refuse({ options: "" }, 400, "options", "This field is required for select and multi_select.");
    await refuse({ options: "red\nblue\nred" }, 400, "options", "&quot;red&quot; is repeated.");
  });

  it("The label and choices of a custom field can be changed, and the field can be deleted", async () => {
    const { customer, admin, at } = await visit();
    const made = await customer.call("POST", "/custom-fields", {
      field_key: "size",
      label: "Size",
      type: "select",
      options: ["S", "M"],
    });
    const { id } = made.body.custom_field;
    const page = await admin.get(`${at}/custom-fields/${id}`);
    expect(page.body).toMatch(/>S\nM<\/textarea>/);
    await admin.post(`${at}/custom-fields/${id}`, { label: "Shoe size", options: "M\nL" });
    const { custom_fields } = (await customer.call("GET", "/custom-fields")).body;
    expect(custom_fields).toMatchObject([{ label: "Shoe size", options: ["M", "L"] }]);

    const empty = await admin.post(`${at}/custom-fields/${id}`, { label: "", options: "" });
    expect(empty.body).toContain('id="field-label-fault"');
    const early = await admin.post(`${at}/custom-fields/${id}`, { label: "Shoe size", options: "S\nM" });
    expect(early.status).toBe(409);
    expect(early.body).toContain("are still being cleared from contacts");

    await admin.post(`${at}/custom-fields/${id}/delete`);
    expect((await admin.get(`${at}/custom-fields`)).body).toContain("Shoe size deleted.");
    expect((await admin.get(`${at}/custom-fields/${id}`)).status).toBe(404);
  });

  it("A choice that contacts have is removed after a confirmation with the number of contacts", async () => {
    for (const type of ["select", "multi_select"] as const) {
      const { admin, page, remove, likes, options } = await likedDrinks(type);
      const before = await likes();
      await admin.get(page);
      const asked = await remove();
      expect(asked.status).toBe(200);
      expect(asked.body).toContain("Remove “Tea” from Likes?");
      expect(asked.body).toContain("2 contacts will lose “Tea”.");
      expect([await options(), await likes()]).toEqual([["Tea", "Coffee", "Milk"], before]);
      expect((await confirm(admin, page, asked)).status).toBe(303);
      expect(await options()).toEqual(["Coffee", "Milk"]);
      expect((await admin.get(page)).body).toContain("Drinks");
      expect(await likes()).toEqual(
        type === "select" ? ["Coffee", null, null] : [["Coffee", "Milk"], ["Milk"], ["Milk"]],
      );
    }
  });

  it("If somebody else changes the choices of a custom field after the form is rendered, no choice is removed", async () => {
    const { customer, admin, id, page, remove, options } = await likedDrinks("select");
    await admin.get(page);
    const asked = await remove();
    const changed = ["Tea", "Coffee", "Milk", "Water"];
    await customer.call("PATCH", `/custom-fields/${id}`, { options: changed });
    for (const refused of [await confirm(admin, page, asked), await remove()]) {
      expect([refused.status, await options()]).toEqual([412, changed]);
      expect(refused.body).toContain("Changed by someone else");
    }
  });

  it("A choice that no contact has is removed without a confirmation", async () => {
    const { customer, admin, page, remove, options } = await likedDrinks("select");
    for (const { id } of (await customer.call("GET", "/contacts")).body.contacts)
      await customer.call("PATCH", `/contacts/${id}`, { custom_fields: { likes: "Milk" } });
    await admin.get(page);
    expect((await remove()).status).toBe(303);
    expect(await options()).toEqual(["Coffee", "Milk"]);
  });
});
