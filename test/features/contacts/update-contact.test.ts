import { describe, expect, it } from "vitest";
import { phoneEnding, World } from "../../support/world.ts";

const world = new World();

describe("Contact updates", () => {
  it.each(["PATCH", "PUT"])("A contact update with %s changes only the sent fields", async (method) => {
    const customer = await world.customer();
    const { contact } = (
      await customer.call("POST", "/contacts", {
        phone: phoneEnding("1234"),
        name: "Ada",
        company: "Acme",
        tags: ["a", "b"],
      })
    ).body;
    const answer = await customer.call(method, `/contacts/${contact.id}`, {
      name: null,
      status: "hot",
      tags: ["b", { name: "c" }],
    });
    expect(answer.status).toBe(200);
    expect(answer.body.contact).toMatchObject({ name: null, company: "Acme", status: "hot", phone: contact.phone });
    expect(answer.body.contact.tags.map((tag: { name: string }) => tag.name)).toEqual(["b", "c"]);
  });

  it("A contact update accepts read-only fields with the stored value, and rejects a different value", async () => {
    const customer = await world.customer();
    const { contact } = (
      await customer.call("POST", "/contacts", { phone: phoneEnding("1234"), name: "Ada", tags: ["a"] })
    ).body;
    const back = await customer.call("PUT", `/contacts/${contact.id}`, contact);
    expect(back.body.contact).toEqual({ ...contact, updated_at: expect.any(String) });
    const refused = await customer.call("PUT", `/contacts/${contact.id}`, {
      ...contact,
      id: "ct_other",
      is_archived: true,
    });
    expect(refused.status).toBe(400);
    expect(refused.body.error.details.map((fault: { path: string; code: string }) => [fault.path, fault.code])).toEqual(
      [
        ["id", "read_only"],
        ["is_archived", "read_only"],
      ],
    );
  });

  it("A contact update accepts tags as names or as returned objects, and rejects anything else", async () => {
    const customer = await world.customer();
    const { contact } = (await customer.call("POST", "/contacts", { phone: phoneEnding("1234") })).body;
    const put = (tags: unknown[]) => customer.call("PUT", `/contacts/${contact.id}`, { tags });
    const [tag] = (await put(["VIP"])).body.contact.tags;
    expect((await put([tag])).body.contact.tags).toEqual([tag]);
    const fits = "Must be a tag name, or a tag as returned in a contact: an object of id, name and color.";
    for (const [sent, path, message] of [
      [{ name: "z", nmae: "t" }, "tags.0.nmae", "This field is unknown. Check its spelling."],
      [{}, "tags.0", fits],
      [1, "tags.0", fits],
      [{ name: " " }, "tags.0.name", "Must not be empty."],
      [" ", "tags.0", "Must not be empty."],
    ] as const) {
      const { status, body } = await put([sent]);
      expect([status, body.error.details]).toMatchObject([400, [{ path, message }]]);
    }
  });

  it("A repeated contact update returns the stored response, even if a sent read-only field has changed since", async () => {
    const customer = await world.customer();
    const { contact } = (await customer.call("POST", "/contacts", { phone: phoneEnding("1234"), name: "Ada" })).body;
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const change = () => customer.call("PATCH", `/contacts/${contact.id}`, { ...contact, name: "Bo" }, { headers });
    const first = await change();
    await customer.call("DELETE", `/contacts/${contact.id}`);
    const again = await change();
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");

    const anew = await customer.call("PATCH", `/contacts/${contact.id}`, { ...contact, name: "Bo" });
    expect(anew.body.error.details).toMatchObject([{ path: "is_archived", code: "read_only" }]);
    expect((await customer.call("PATCH", "/contacts/ct_none", { id: "ct_none" })).status).toBe(404);
  });

  it("A contact update that changes nothing keeps the ETag and the time of change, even before the cleanup of a deleted tag", async () => {
    const customer = await world.customer();
    const sent = { phone: phoneEnding("1234"), name: "Ada", tags: ["Kept", "Gone"] };
    const { contact } = (await customer.call("POST", "/contacts", sent)).body;
    const at = `/contacts/${contact.id}`;
    await customer.call("DELETE", `/tags/${contact.tags.find(({ name }: { name: string }) => name === "Gone").id}`);
    const before = await customer.call("GET", at);
    world.advance(1000);
    for (const method of ["PATCH", "PUT"]) {
      const answer = await customer.call(method, at, before.body.contact);
      expect([answer.body, answer.headers.get("ETag")]).toEqual([before.body, '"1"']);
    }
    const changed = await customer.call("PATCH", at, { tags: ["Gone"] });
    expect(changed.headers.get("ETag")).toBe('"2"');
    expect(changed.body.contact.tags).toMatchObject([{ name: "Gone" }]);
    await world.cron();
    expect((await customer.call("GET", at)).body.contact.tags).toEqual(changed.body.contact.tags);
  });

  it("A contact update with the phone or email of another active contact writes nothing, and the error names that contact", async () => {
    const customer = await world.customer();
    const phone = phoneEnding("1234");
    const a = (await customer.call("POST", "/contacts", { phone })).body.contact;
    const b = (await customer.call("POST", "/contacts", { email: "b@example.com" })).body.contact;
    const byEmail = await customer.call("PATCH", `/contacts/${a.id}`, { email: "B@Example.com", name: "No" });
    expect(byEmail.status).toBe(409);
    expect(byEmail.body.error.details).toMatchObject({ field: "email", contact_id: b.id });
    const byPhone = await customer.call("PATCH", `/contacts/${b.id}`, { phone });
    expect(byPhone.body.error.details).toMatchObject({ field: "phone", contact_id: a.id });
    expect((await customer.call("GET", `/contacts/${a.id}`)).body.contact).toEqual(a);
  });

  it("A contact update cannot clear the last of phone, email and external ids", async () => {
    const customer = await world.customer();
    const { contact } = (
      await customer.call("POST", "/contacts", { phone: phoneEnding("1234"), email: "a@example.com" })
    ).body;
    expect((await customer.call("PATCH", `/contacts/${contact.id}`, { phone: null })).body.contact.phone).toBeNull();
    const refused = await customer.call("PATCH", `/contacts/${contact.id}`, { email: null });
    expect(refused.status).toBe(400);
    await customer.receive("user-77", "Hello", "Only an id");
    const known = (await customer.call("GET", "/contacts?search=only")).body.contacts[0];
    expect(known).toMatchObject({ phone: null, email: null, external_ids: [{ provider: "sandbox", id: "user-77" }] });
    expect((await customer.call("PATCH", `/contacts/${known.id}`, { phone: null })).status).toBe(200);
  });

  it("Concurrent contact updates of custom fields are merged", async () => {
    const customer = await world.customer();
    for (const key of ["a", "b", "c"])
      await customer.call("POST", "/custom-fields", { field_key: key, label: key, type: "number" });
    const { contact } = (await customer.call("POST", "/contacts", { email: "a@example.com", custom_fields: { a: 0 } }))
      .body;
    await Promise.all(
      [1, 2].flatMap((value) =>
        ["b", "c"].map((key) => customer.call("PATCH", `/contacts/${contact.id}`, { custom_fields: { [key]: value } })),
      ),
    );
    const { custom_fields: fields } = (await customer.call("GET", `/contacts/${contact.id}`)).body.contact;
    expect(fields).toEqual({ a: 0, b: expect.any(Number), c: expect.any(Number) });
    const cleared = await customer.call("PATCH", `/contacts/${contact.id}`, { custom_fields: { a: null } });
    expect(cleared.body.contact.custom_fields.a).toBeNull();
  });

  it("A contact update can opt the contact's number out and in again", async () => {
    const customer = await world.customer();
    const phone = phoneEnding("1234");
    const { contact } = (await customer.call("POST", "/contacts", { phone })).body;
    expect(
      (await customer.call("PATCH", `/contacts/${contact.id}`, { is_unsubscribed: true })).body.contact.is_unsubscribed,
    ).toBe(true);
    expect((await customer.send(phone)).body.error).toMatchObject({
      code: "unsubscribed",
      details: { contact_id: contact.id },
    });
    await customer.call("PATCH", `/contacts/${contact.id}`, { is_unsubscribed: false });
    expect((await customer.send(phone)).status).toBe(202);
  });
});

describe("Archiving and restoring", () => {
  it("An archived contact is hidden from lists but can be read by id, and archiving and restoring can be repeated", async () => {
    const customer = await world.customer();
    const { contact } = (await customer.call("POST", "/contacts", { phone: phoneEnding("1234") })).body;
    for (const _ of [1, 2]) {
      const archived = await customer.call("DELETE", `/contacts/${contact.id}`);
      expect(archived.status).toBe(200);
      expect(archived.body.contact.is_archived).toBe(true);
    }
    expect((await customer.call("GET", `/contacts/${contact.id}`)).body.contact.is_archived).toBe(true);
    for (const _ of [1, 2]) {
      const restored = await customer.call("POST", `/contacts/${contact.id}/restore`);
      expect(restored.status).toBe(200);
      expect(restored.body.contact.is_archived).toBe(false);
    }
  });

  it("An archived contact cannot be restored if another contact now has its email", async () => {
    const customer = await world.customer();
    const a = (await customer.call("POST", "/contacts", { phone: phoneEnding("1234"), email: "a@example.com" })).body
      .contact;
    await customer.call("DELETE", `/contacts/${a.id}`);
    const b = (await customer.call("POST", "/contacts", { email: "c@example.com" })).body.contact;
    await customer.call("PATCH", `/contacts/${b.id}`, { email: "A@example.com" });
    const answer = await customer.call("POST", `/contacts/${a.id}/restore`, undefined, {
      headers: { "Idempotency-Key": "r" },
    });
    expect(answer.status).toBe(409);
    expect(answer.body.error.details).toMatchObject({ field: "email", contact_id: b.id });
    await customer.call("PATCH", `/contacts/${b.id}`, { email: "b@example.com" });
    expect(
      (await customer.call("POST", `/contacts/${a.id}/restore`, undefined, { headers: { "Idempotency-Key": "r" } }))
        .status,
    ).toBe(200);
  });
});

describe("Other workspaces' contacts", () => {
  it.each([
    ["GET", "", undefined],
    ["PATCH", "", { name: "x" }],
    ["PUT", "", { name: "x" }],
    ["DELETE", "", undefined],
    ["POST", "/restore", undefined],
  ])("Another workspace's contact returns 404 for %s %s", async (method, suffix, body) => {
    const [customer, other] = [await world.customer(), await world.customer()];
    const { contact } = (await customer.call("POST", "/contacts", { email: "a@example.com" })).body;
    const answer = await other.call(method, `/contacts/${contact.id}${suffix}`, body);
    expect(answer.status).toBe(404);
    expect(answer.body.error).toEqual((await other.call(method, `/contacts/ct_unknown${suffix}`, body)).body.error);
  });
});
