import { beforeEach, describe, expect, it, vi } from "vitest";
import { opsByKind, ownFields } from "../../src/features/segments/segments.fields.ts";
import { started } from "../support/campaigns.ts";
import { stopClock } from "../support/clock.ts";
import type { Visitor } from "../support/visitor.ts";
import { type Answer, type Customer, phoneEnding, World } from "../support/world.ts";

// The first test of a file is slow, because it loads the code for password hashing.
vi.setConfig({ testTimeout: 30_000 });

beforeEach(stopClock);

const at = (customer: Customer, below = "") => `/console/${customer.workspaceId}/segments${below}`;

function send(visitor: Visitor, path: string, fields: [string, string][]): Promise<Answer> {
  return visitor.request("POST", path, new URLSearchParams([["csrf_token", visitor.token], ...fields]));
}

const c = "filter.conditions";

const vip: [string, string][] = [
  ["name", "VIPs"],
  ["filter.match", "all"],
  [`${c}.0.field`, "tags"],
  [`${c}.0.op`, "has_any"],
  [`${c}.0.value`, "vip"],
];

async function stocked(): Promise<{ customer: Customer; admin: Visitor }> {
  const customer = await new World().customer();
  await customer.call("POST", "/custom-fields", { field_key: "age", label: "Age", type: "number" });
  for (const [name, age, tags] of [
    ["Ada", 36, ["vip"]],
    ["Bob", 17, ["vip", "late"]],
    ["Eve", 50, ["late"]],
  ] as const)
    await customer.call("POST", "/contacts", { name, phone: phoneEnding("6000"), tags, custom_fields: { age } });
  return { customer, admin: await customer.member("admin") };
}

const countIn = ({ body }: Answer): string => /id="segment-count"[^>]*>([^<]*)</.exec(body)?.[1]?.trim() ?? "";
const fieldsIn = ({ body }: Answer): string[] =>
  Array.from(String(body).matchAll(/<select id="[^"]*" name="([^"]+\.field)"/g), ([, name = ""]) => name);

describe("Segment form", () => {
  it("The segment form saves groups, numbers and lists in the format of the API", async () => {
    const { customer, admin } = await stocked();
    const saved = await send(admin, at(customer, "/new"), [
      ...vip,
      [`${c}.1.match`, "any"],
      [`${c}.1.conditions.0.field`, "custom_fields.age"],
      [`${c}.1.conditions.0.op`, "between"],
      [`${c}.1.conditions.0.value`, "30"],
      [`${c}.1.conditions.0.value`, "40"],
      [`${c}.1.conditions.1.field`, "email"],
      [`${c}.1.conditions.1.op`, "in"],
      [`${c}.1.conditions.1.value`, "a@example.com\r\nb@example.com"],
      [`${c}.1.conditions.2.field`, "last_inbound_at"],
      [`${c}.1.conditions.2.op`, "within_days"],
      [`${c}.1.conditions.2.value`, "30"],
      [`${c}.2.field`, "name"],
      [`${c}.2.op`, "is_set"],
      ["do", "save"],
    ]);
    expect(saved.status).toBe(303);
    const page = await admin.get(saved.headers.get("Location") ?? "");
    expect(page.body).toContain(
      "Tags have any of “vip” and (Age is between 30 and 40 or Email is one of “a@example.com”, “b@example.com” or Last message from them is in the last 30 days) and Name is known",
    );
    expect(page.body).toContain("1 contact<");
    expect(page.body).toContain("Ada</a>");
    expect(page.body).not.toContain("Bob</a>");
    expect((await customer.call("GET", "/segments")).body.segments[0]).toMatchObject({
      name: "VIPs",
      filter: {
        match: "all",
        conditions: [
          { value: ["vip"] },
          { match: "any", conditions: [{ value: [30, 40] }, {}, { value: 30 }] },
          { value: null },
        ],
      },
    });
  });

  it("The segment form adds and removes conditions and groups without saving the segment", async () => {
    const { customer, admin } = await stocked();
    const path = at(customer, "/new");
    const press = async (action: string, fields = vip) =>
      fieldsIn(await send(admin, path, [...fields, ["do", action]]));
    expect(await press("add")).toEqual([`${c}.0.field`, `${c}.1.field`]);
    expect(await press("add-group")).toEqual([
      `${c}.0.field`,
      `${c}.1.conditions.0.field`,
      `${c}.1.conditions.1.field`,
    ]);
    const group: [string, string][] = [
      ...vip,
      [`${c}.1.match`, "any"],
      [`${c}.1.conditions.0.field`, "name"],
      [`${c}.1.conditions.1.field`, "email"],
    ];
    expect(await press("add:1", group)).toHaveLength(4);
    expect(await press("remove:1.0", group)).toEqual([`${c}.0.field`, `${c}.1.conditions.0.field`]);
    expect(await press("remove:1", group)).toEqual([`${c}.0.field`]);
    expect(await press("remove:0")).toEqual([`${c}.0.field`]); // an empty condition replaces the removed condition
    expect(await press("remove:7")).toEqual([`${c}.0.field`]);
    expect((await customer.call("GET", "/segments")).body.segments).toEqual([]);
  });

  it("The segment form counts matching contacts, or names the incomplete conditions", async () => {
    const { customer, admin } = await stocked();
    const path = at(customer, "/new");
    expect(countIn(await send(admin, path, vip))).toBe("2 contacts now");
    expect(countIn(await admin.get(path))).toBe("Complete condition 1 (Tags) to count matching contacts.");
    const older = [...vip, [`${c}.1.field`, "custom_fields.age"], [`${c}.1.op`, "gt"]] satisfies [string, string][];
    expect(countIn(await send(admin, path, older))).toMatch(/^Complete condition 2 \(\w+\) to/);
    const group = [
      [`${c}.1.match`, "any"],
      [`${c}.1.conditions.0.field`, "status"],
      [`${c}.1.conditions.0.op`, "eq"],
      [`${c}.1.conditions.1.field`, "name"],
      [`${c}.1.conditions.1.op`, "eq"],
    ] satisfies [string, string][];
    const open = await send(admin, path, [[`${c}.0.field`, "tags"], ...group]);
    const all = "condition 1 (Tags), condition 2.1 (Status) and condition 2.2 (Name)";
    expect(countIn(open)).toBe(`Complete ${all} to count matching contacts.`);
    expect(countIn(await send(admin, path, [...older, [`${c}.1.value`, "20"]]))).toBe("1 contact now");
    expect(countIn(await send(admin, path, [...older, [`${c}.1.value`, "old"]]))).toMatch(
      /^Check condition 2 \(\w+\): Must be a number\.$/,
    );
  });

  it("The segment form shows each error next to its condition and keeps the input", async () => {
    const { customer, admin } = await stocked();
    const answer = await send(admin, at(customer, "/new"), [
      ["name", "Half done"],
      [`${c}.0.field`, "phone"],
      [`${c}.0.op`, "eq"],
      [`${c}.0.value`, "12"],
      [`${c}.1.field`, "tags"],
      [`${c}.1.op`, "has_all"],
      ["do", "save"],
    ]);
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('value="Half done"');
    expect(answer.body).toMatch(
      /id="filter-conditions-0-value-fault">\s*Must be a phone number in international format/,
    );
    expect(answer.body).toMatch(/id="filter-conditions-1-value-fault">\s*Must have 1 to 200 values/);
  });

  it("The segment form offers every field with the comparisons of its type", async () => {
    const { customer, admin } = await stocked();
    const page = await admin.get(at(customer, "/new"));
    for (const name of [...Object.keys(ownFields), "custom_fields.age"])
      expect(page.body).toContain(`<option value="${name}"`);
    const number = await send(admin, at(customer, "/new"), [
      [`${c}.0.field`, "custom_fields.age"],
      [`${c}.0.op`, "has_any"],
    ]);
    const ops = /name="filter\.conditions\.0\.op".*?<\/select>/s.exec(number.body)?.[0] ?? "";
    expect(Array.from(ops.matchAll(/value="(\w+)"/g), ([, op]) => op)).toEqual([...opsByKind.number]);
  });
});

describe("Segments", () => {
  const create = async (customer: Customer, value: string[]): Promise<string> => {
    const filter = { match: "all", conditions: [{ field: "tags", op: "has_any", value }] };
    return (await customer.call("POST", "/segments", { name: "Tagged", filter })).body.segment.id;
  };

  it("A segment can be renamed, changed and deleted in the console", async () => {
    const { customer, admin } = await stocked();
    const id = await create(customer, ["late"]);
    const form = (await admin.get(at(customer, `/${id}/edit`))).body;
    expect(form).toContain('value="Tagged"');
    expect(form).toMatch(/value="late" checked/);
    const saved = await send(admin, at(customer, `/${id}/edit`), [...vip, ["do", "save"]]);
    expect(saved.status).toBe(303);
    expect((await customer.call("GET", `/segments/${id}`)).body.segment).toMatchObject({
      name: "VIPs",
      filter: { conditions: [{ value: ["vip"] }] },
    });
    expect((await admin.post(at(customer, `/${id}/delete`))).status).toBe(303);
    expect((await customer.call("GET", `/segments/${id}`)).status).toBe(404);
  });

  it("A segment of a scheduled campaign cannot be deleted, and the error links to the campaign", async () => {
    const { customer, admin } = await stocked();
    const id = await create(customer, ["late"]);
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
    const campaignId = await started(customer, { segment_id: id, scheduled_at });
    const refused = await admin.post(at(customer, `/${id}/delete`));
    expect([refused.status, refused.headers.get("Location")]).toEqual([303, at(customer, `/${id}`)]);
    const page = (await admin.get(at(customer, `/${id}`))).body;
    expect(page).toContain("A scheduled campaign uses this segment. Cancel the campaign");
    expect(page).toContain(`<a href="/console/${customer.workspaceId}/campaigns/${campaignId}">View campaign</a>`);
  });

  it("A broken segment names its deleted part, and matches no contacts", async () => {
    const { customer, admin } = await stocked();
    const id = await create(customer, ["late"]);
    const tags: Answer["body"][] = (await customer.call("GET", "/tags")).body.tags;
    await customer.call("DELETE", `/tags/${tags.find(({ name }) => name === "late").id}`);
    const page = await admin.get(at(customer, `/${id}`));
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining("The tag &quot;late&quot; was deleted.") });
    expect(page.body).not.toContain("Eve</a>");
    expect((await admin.get(at(customer))).body).toContain(">Broken<");
    const form = await admin.get(at(customer, `/${id}/edit`));
    expect(form.body).toMatch(/filter-conditions-0-value-fault">[^<]*was deleted/);
  });

  it("Agents can read a segment but cannot change it", async () => {
    const { customer } = await stocked();
    const id = await create(customer, ["vip"]);
    const agent = await customer.member("agent");
    const page = (await agent.get(at(customer, `/${id}`))).body;
    expect(page).toContain("2 contacts<");
    expect(page).not.toContain("/edit");
    expect((await agent.get(at(customer))).body).toContain("Tagged");
    for (const below of ["/new", `/${id}/edit`]) expect((await agent.get(at(customer, below))).status).toBe(403);
    await agent.get(at(customer));
    for (const below of ["/new", `/${id}/edit`, `/${id}/delete`]) {
      expect((await send(agent, at(customer, below), [...vip, ["do", "save"]])).status).toBe(403);
      await agent.get(at(customer));
    }
    expect((await customer.call("GET", "/segments")).body.segments).toMatchObject([{ id, name: "Tagged" }]);
  });

  it("A segment of another workspace returns 404, and a form with a forged token does not delete a segment", async () => {
    const { customer, admin } = await stocked();
    const other = await customer.world.customer();
    await other.call("POST", "/tags", { name: "vip" });
    const theirs = await create(other, ["vip"]);
    for (const below of [`/${theirs}`, `/${theirs}/edit`])
      expect((await admin.get(at(customer, below))).status).toBe(404);
    await admin.get(at(customer));
    expect((await send(admin, at(customer, `/${theirs}/edit`), [...vip, ["do", "save"]])).status).toBe(404);
    const mine = await create(customer, ["vip"]);
    await admin.get(at(customer));
    admin.token = "forged";
    expect((await send(admin, at(customer, `/${mine}/delete`), [])).status).toBe(403);
    expect((await customer.call("GET", `/segments/${mine}`)).status).toBe(200);
  });
});
