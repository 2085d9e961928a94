import { beforeEach, describe, expect, it } from "vitest";
import { addPeople, customerWith, recipientsOf, started } from "../../support/campaigns.ts";
import { stopClock } from "../../support/clock.ts";
import { recordedWorld } from "../../support/recording.ts";
import { type Customer, phoneEnding } from "../../support/world.ts";

beforeEach(stopClock);

const HEAD =
  "contact_id,name,phone,user_id,state,reason,error_message,sent_at,delivered_at,read_at,failed_at,updated_at,message_id";
const csvOf = async (customer: Customer, id: string, query = "", method = "GET") => {
  const answer = await customer.call(method, `/campaigns/${id}/recipients.csv${query}`);
  return { ...answer, lines: String(answer.body).split("\r\n") };
};

describe("CSV of recipients", () => {
  it("The CSV of recipients contains names, states, reasons, times and messages, quoted and safe in spreadsheets", async () => {
    const { world, customer } = await customerWith(0);
    const people = [
      { phone: phoneEnding("1234"), name: '=cmd|" /C calc"!A0, "Ann"' },
      { phone: phoneEnding("0001"), name: "Bo\nLi" },
    ];
    for (const person of people) await customer.call("POST", "/contacts", person);
    const id = await started(customer, { body: "Hi" });
    await world.settle();
    const { status, headers, lines } = await csvOf(customer, id);
    expect(status).toBe(200);
    expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("Content-Disposition")).toBe(`attachment; filename="recipients-${id}.csv"`);
    expect(lines[0]).toBe(HEAD);
    const [ann, bo] = await recipientsOf(customer, id);
    expect(ann.name).toBe(people[0]?.name);
    const { sent_at, delivered_at, read_at } = await customer.message(ann.message_id);
    expect(lines[1]).toBe(
      `${ann.contact_id},"'=cmd|"" /C calc""!A0, ""Ann""",${people[0]?.phone},,read,,,${sent_at},${delivered_at},${read_at},,${ann.updated_at},${ann.message_id}`,
    );
    expect(lines[2]).toContain(`${bo.contact_id},"Bo\nLi",`);
    expect(bo.state).toBe("failed");
    expect(lines[2]).toContain(`,failed,${bo.reason},`);
    expect(lines.at(-1)).toBe("");
  });

  it("The CSV of recipients can be filtered by state, and HEAD returns the same headers without a body", async () => {
    const { world, customer } = await customerWith(2);
    await customer.call("POST", "/contacts", { phone: phoneEnding("0001"), name: "Bo" });
    const id = await started(customer, { body: "Hi" });
    await world.settle();
    expect((await csvOf(customer, id, "?state=failed")).lines).toHaveLength(3);
    const head = await csvOf(customer, id, "", "HEAD");
    expect([head.status, head.body]).toEqual([200, ""]);
    const own = new Set(["server-timing", "x-request-id", "x-ratelimit-remaining", "ratelimit"]);
    const headersOf = ({ headers }: typeof head) => [...headers].filter(([name]) => !own.has(name));
    expect(headersOf(head)).toEqual(headersOf(await csvOf(customer, id)));
    expect(head.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect((await csvOf(customer, id, "?state=odd")).status).toBe(400);
    expect((await csvOf(await world.customer(), id)).status).toBe(404);
    expect((await csvOf(await world.customer(), id, "", "HEAD")).status).toBe(404);
  });

  it(
    "The CSV of a large campaign contains all recipients and costs one round trip per 5,000 recipients",
    { tags: "long" },
    async () => {
      const { world, recording } = recordedWorld();
      const { customer } = await customerWith(0, world);
      await addPeople(customer, 12_000);
      const id = await started(customer, { body: "Hi" });
      await customer.call("POST", `/campaigns/${id}/pause`);
      await world.settle();
      recording.take();
      const { lines, headers } = await csvOf(customer, id);
      expect(new Set(recording.take().map(({ trip }) => trip)).size).toBe(3);
      expect(lines).toHaveLength(12_002);
      expect(new Set(lines).size).toBe(12_002);
      expect(headers.get("Content-Length")).toBeNull();
    },
  );
});
