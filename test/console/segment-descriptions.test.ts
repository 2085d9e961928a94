import { describe, expect, it } from "vitest";
import { type Customer, World } from "../support/world.ts";

const at = ({ workspaceId }: Customer, below: string) => `/console/${workspaceId}/segments${below}`;

async function office() {
  const customer = await new World().customer();
  await customer.call("POST", "/custom-fields", { field_key: "age", label: "Age", type: "number" });
  return { customer, admin: await customer.member("admin") };
}

describe("Segment descriptions", () => {
  it("The field menu of the segment form lists the most used fields first and the id last", async () => {
    const { customer, admin } = await office();
    const { body } = await admin.get(at(customer, "/new"));
    const fields = /name="filter\.conditions\.0\.field".*?<\/select>/s.exec(body)?.[0] ?? "";
    const names = Array.from(fields.matchAll(/<option value="([\w.]+)"/g), ([, name]) => name);
    expect(names.slice(0, 4)).toEqual(["name", "phone", "tags", "status"]);
    expect(names.slice(-2)).toEqual(["custom_fields.age", "id"]);
  });

  it("A segment description shows dates as the console does, and the labels of choices", async () => {
    const { customer, admin } = await office();
    await customer.call("POST", "/custom-fields", { field_key: "renewal", label: "Renewal", type: "date" });
    const options = ["iPhone_case", "Mug"];
    await customer.call("POST", "/custom-fields", { field_key: "gift", label: "Gift", type: "select", options });
    const conditions = [
      { field: "custom_fields.renewal", op: "between", value: ["2027-01-01", "2027-01-31"] },
      { field: "created_at", op: "gte", value: "2026-01-31T09:30:00Z" },
      { field: "status", op: "in", value: ["hot", "warm"] },
      { field: "custom_fields.gift", op: "eq", value: "iPhone_case" },
      { field: "is_unsubscribed", op: "eq", value: false },
    ];
    const sent = { name: "Renewing", filter: { match: "all", conditions } };
    const { id } = (await customer.call("POST", "/segments", sent)).body.segment;
    const { body } = await admin.get(at(customer, `/${id}`));
    expect(body).toContain('<time datetime="2027-01-31">31 Jan 2027</time>');
    expect(body.replace(/<[^>]*>/g, "")).toContain(
      "Renewal is between 1 Jan 2027 and 31 Jan 2027 and Created is on or after 31 Jan 2026, 09:30 UTC and " +
        "Status is one of Hot, Warm and Gift is iPhone_case and Unsubscribed is no",
    );
    expect((await admin.get(at(customer, `/${id}/edit`))).body).toMatch(
      /value="iPhone_case" selected[^>]*>iPhone_case</,
    );
  });
});
