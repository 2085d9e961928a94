import { describe, expect, it } from "vitest";
import { phoneEnding, type Answer, type Customer, World } from "../support/world.ts";

const world = new World();

interface Kind {
  path: string;
  record: string;
  create: () => object;
  changes: [object, object];
  deletes: boolean;
}

const filter = { match: "all", conditions: [{ field: "status", op: "eq", value: "hot" }] };

const kinds: Kind[] = [
  {
    path: "/contacts",
    record: "contact",
    create: () => ({ phone: phoneEnding("1234"), name: "Ada" }),
    changes: [{ name: "Bo" }, { company: "Acme" }],
    deletes: false,
  },
  {
    path: "/templates",
    record: "template",
    create: () => ({ name: "Hello", body: "Hi" }),
    changes: [{ body: "Hello" }, { body: "Good day" }],
    deletes: true,
  },
  {
    path: "/segments",
    record: "segment",
    create: () => ({ name: "Hot", filter }),
    changes: [{ name: "Warm" }, { name: "Cold" }],
    deletes: true,
  },
  {
    path: "/webhooks",
    record: "webhook",
    create: () => ({ url: "https://hooks.example.org/a", types: ["campaign.*"] }),
    changes: [{ description: "Orders" }, { description: "People" }],
    deletes: true,
  },
  {
    path: "/canned-replies",
    record: "canned_reply",
    create: () => ({ shortcut: "hours", body: "We are open." }),
    changes: [{ body: "We are closed." }, { body: "We are moving." }],
    deletes: true,
  },
];

const ifMatch = (tag: string | null) => ({ headers: { "If-Match": tag ?? "" } });
const tagOf = ({ headers }: Answer) => headers.get("ETag");

async function make(customer: Customer, { path, record, create }: Kind) {
  const made = await customer.call("POST", path, create());
  return { tag: tagOf(made), at: `${path}/${made.body[record].id}` };
}

describe.each(kinds)("Revisions of one $record", (kind) => {
  it("The ETag increases with each change, but not if the sent value is already stored", async () => {
    const customer = await world.customer();
    const { at, tag } = await make(customer, kind);
    expect(tag).toBe('"1"');
    expect(tagOf(await customer.call("GET", at))).toBe(tag);
    expect(tagOf(await customer.call("PATCH", at, kind.changes[0]))).toBe('"2"');
    expect(tagOf(await customer.call("PATCH", at, kind.changes[0]))).toBe('"2"');
    expect(tagOf(await customer.call("GET", at))).toBe('"2"');
  });

  it("A change with an outdated If-Match returns 412 with the current revision", async () => {
    const customer = await world.customer();
    const { at, tag } = await make(customer, kind);
    expect((await customer.call("PATCH", at, kind.changes[0], ifMatch(tag))).status).toBe(200);
    const stale = await customer.call("PATCH", at, kind.changes[1], ifMatch(tag));
    expect([stale.status, stale.body.error.code]).toEqual([412, "precondition_failed"]);
    expect(stale.body.error.details).toEqual({ revision: 2 });
    const removal = await customer.call("DELETE", at, undefined, ifMatch(tag));
    expect([removal.status, removal.body.error.details]).toEqual([412, { revision: 2 }]);
    const { body } = await customer.call("GET", at);
    expect(body[kind.record]).toMatchObject(kind.changes[0]);
    expect((await customer.call("DELETE", at, undefined, ifMatch('"2"'))).status).toBe(200);
    expect((await customer.call("GET", at)).status).toBe(kind.deletes ? 404 : 200);
  });

  it.each(['W/"1"', "1", "W/1", '"9", "1"', '"other" ,"1"', "*", " * "])(
    "If-Match accepts %s for the first revision",
    async (tag) => {
      const customer = await world.customer();
      const { at } = await make(customer, kind);
      expect((await customer.call("PATCH", at, kind.changes[0], ifMatch(tag))).status).toBe(200);
    },
  );

  it("A malformed If-Match returns 400, and a well-formed but unknown ETag returns 412", async () => {
    const customer = await world.customer();
    const { at } = await make(customer, kind);
    for (const tag of ['"1', "one", '"1" "2"', ",", '"1",'.repeat(60) + '"1"']) {
      const refused = await customer.call("PATCH", at, kind.changes[0], ifMatch(tag));
      expect([tag, refused.status]).toEqual([tag, 400]);
      expect(refused.body.error.details[0].path).toBe("header.if-match");
    }
    expect((await customer.call("PATCH", at, kind.changes[0], ifMatch('"x"'))).status).toBe(412);
    expect((await customer.call("PATCH", at, kind.changes[0], ifMatch('"12345678901234567890"'))).status).toBe(412);
  });

  it("Exactly one of many concurrent changes with the same If-Match succeeds", async () => {
    const customer = await world.customer();
    const { at, tag } = await make(customer, kind);
    const field = Object.keys(kind.changes[0])[0] ?? "";
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => customer.call("PATCH", at, { [field]: `v${index}` }, ifMatch(tag))),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 412),
    ]);
    const winner = answers.findIndex(({ status }) => status === 200);
    const { body, headers } = await customer.call("GET", at);
    expect([body[kind.record][field], headers.get("ETag")]).toEqual([`v${winner}`, '"2"']);
  });

  it("A repeated request returns the ETag of the first response", async () => {
    const customer = await world.customer();
    const { at, tag } = await make(customer, kind);
    const headers = { "Idempotency-Key": crypto.randomUUID(), "If-Match": tag ?? "" };
    const first = await customer.call("PATCH", at, kind.changes[0], { headers });
    await customer.call("PATCH", at, kind.changes[1]);
    const again = await customer.call("PATCH", at, kind.changes[0], { headers });
    expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([200, "true"]);
    expect([tagOf(again), again.body]).toEqual(['"2"', first.body]);
    expect(tagOf(await customer.call("GET", at))).toBe('"3"');
  });

  it("The Idempotency-Key of a rejected change can be used again", async () => {
    const customer = await world.customer();
    const { at } = await make(customer, kind);
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const stale = await customer.call("PATCH", at, kind.changes[0], { headers: { ...headers, "If-Match": '"01"' } });
    expect(stale.status).toBe(412);
    const answer = await customer.call("PATCH", at, kind.changes[0], { headers: { ...headers, "If-Match": '"1"' } });
    expect([answer.status, answer.headers.get("Idempotent-Replayed")]).toEqual([200, null]);
  });

  it("An unknown id and an id of another workspace return 404 for any If-Match", async () => {
    const [customer, other] = [await world.customer(), await world.customer()];
    const { at } = await make(other, kind);
    for (const path of [at, at.replace(/.$/, "z")])
      for (const method of ["PATCH", "DELETE"]) {
        const body = method === "PATCH" ? kind.changes[0] : undefined;
        expect((await customer.call(method, path, body, ifMatch('"9"'))).status).toBe(404);
      }
  });

  it("A change with If-Match takes no more round trips than a change without it", async () => {
    const customer = await world.customer();
    const { at } = await make(customer, kind);
    const trips = ({ headers }: Answer) => /trips=\d+/.exec(headers.get("Server-Timing") ?? "")?.[0];
    const plain = await customer.call("PATCH", at, kind.changes[0]);
    const conditional = await customer.call("PATCH", at, kind.changes[1], ifMatch('"2"'));
    expect([conditional.status, trips(conditional)]).toEqual([200, trips(plain)]);
  });
});

describe("Revisions", () => {
  const [contacts, templates] = kinds;

  it("Every kind of change to a contact increases its revision", async () => {
    if (contacts === undefined) throw new Error("There is no such kind.");
    const customer = await world.customer();
    const phone = phoneEnding("1234");
    const { id } = (await customer.call("POST", "/contacts", { phone })).body.contact;
    const revision = async () => tagOf(await customer.call("GET", `/contacts/${id}`));
    const seen = [await revision()];
    const raise = async (act: Promise<unknown>) => {
      await act;
      seen.push(await revision());
    };
    await raise(customer.call("POST", "/contacts", { phone, name: "Ada" }));
    await raise(customer.call("POST", "/contacts/batch", { contacts: [{ phone, company: "Acme" }] }));
    await raise(customer.call("PUT", `/contacts/${id}`, { tags: ["VIP"] }));
    await raise(customer.call("DELETE", `/contacts/${id}`));
    await raise(customer.call("POST", `/contacts/${id}/restore`));
    await raise(customer.call("PATCH", `/contacts/${id}`, { is_unsubscribed: true }));
    await raise(customer.receive(phone, "START"));
    await raise(customer.receive(phone, "STOP"));
    const bulk = { ids: [id], action: "add_tags", tags: ["Bulk"] };
    await raise(customer.call("POST", "/contacts/bulk", bulk).then(() => world.settle()));
    const { id: from } = (await customer.call("POST", "/contacts", { phone: phoneEnding("5678"), company: "B" })).body
      .contact;
    await raise(customer.call("POST", `/contacts/${id}/merge`, { from }));
    const [tag] = (await customer.call("GET", "/tags")).body.tags;
    await raise(customer.call("DELETE", `/tags/${tag.id}`).then(() => world.cron()));
    expect(new Set(seen).size).toBe(seen.length);
  });

  it("A provider's report about a message does not increase the contact's revision", async () => {
    const customer = await world.customer();
    const phone = phoneEnding("1234");
    const { contact_id: id } = (await customer.send(phone)).body;
    const before = tagOf(await customer.call("GET", `/contacts/${id}`));
    await world.settle();
    await customer.receive(phone, "Thanks");
    expect(tagOf(await customer.call("GET", `/contacts/${id}`))).toBe(before);
  });

  it("A change with an outdated If-Match that also conflicts with another record returns 412 instead of 409", async () => {
    const customer = await world.customer();
    const [taken, own] = [phoneEnding("1234"), phoneEnding("1234")];
    await customer.call("POST", "/contacts", { phone: taken });
    const { id } = (await customer.call("POST", "/contacts", { phone: own })).body.contact;
    const change = (tag: string) => customer.call("PATCH", `/contacts/${id}`, { phone: taken }, ifMatch(tag));
    expect((await change('"9"')).status).toBe(412);
    expect((await change('"1"')).status).toBe(409);
    if (templates === undefined) throw new Error("There is no such kind.");
    const { at } = await make(customer, templates);
    await customer.call("POST", "/templates", { name: "Other", body: "Hi" });
    expect((await customer.call("PATCH", at, { name: "Other" }, ifMatch('"9"'))).status).toBe(412);
    expect((await customer.call("PATCH", at, { name: "Other" }, ifMatch('"1"'))).status).toBe(409);
  });

  it("A merge request checks the If-Match header", async () => {
    const customer = await world.customer();
    const [kept, from] = [await customer.send(phoneEnding("1234")), await customer.send(phoneEnding("1234"))];
    const at = `/contacts/${kept.body.contact_id}`;
    await customer.call("PATCH", at, { name: "Ann" });
    const merge = (tag: string, preview: boolean) =>
      customer.call("POST", `${at}/merge`, { from: from.body.contact_id, preview }, ifMatch(tag));
    for (const preview of [true, false]) {
      const refused = await merge('"1"', preview);
      expect([refused.status, refused.body.error.details]).toEqual([412, { revision: 2 }]);
    }
    expect((await merge('"2"', false)).status).toBe(200);
  });

  it("If-Match is rejected for records without revisions, and nothing changes", async () => {
    const customer = await world.customer();
    const at = `/conversations/${(await customer.send(phoneEnding("1234"))).body.conversation_id}`;
    const refused = await customer.call("PATCH", at, { status: "done" }, ifMatch('"1"'));
    expect([refused.status, refused.body.error.details]).toMatchObject([
      400,
      [{ path: "header.if-match", message: "This operation does not support If-Match." }],
    ]);
    expect((await customer.call("GET", at, undefined, ifMatch('"1"'))).body.conversation.status).toBe("open");
  });
});
