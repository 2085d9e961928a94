import { expect, test } from "vitest";
import { World } from "../../support/world.ts";

test("Ten concurrent changes to one template lose nothing, and at most one returns 503", async () => {
  const customer = await new World().customer();
  const { id } = (await customer.call("POST", "/templates", { name: "A", body: "Hello" })).body.template;
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => customer.call("PATCH", `/templates/${id}`, { body: `Hello ${index}` })),
  );
  const changed = answers.filter(({ status }) => status === 200);
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  expect(changed.length).toBeGreaterThanOrEqual(9);
  const { body } = await customer.call("GET", "/events?types=template.updated");
  const changes: [string, string][] = body.events.map(
    (event: { changes: { body: [string, string] } }) => event.changes.body,
  );
  expect(changes).toHaveLength(changed.length);
  // Each change starts from the text of the previous change.
  for (const [index, [before]] of changes.entries()) expect(before).toBe(changes[index - 1]?.[1] ?? "Hello");
});

test("If ten members change a template from the same revision, one of them succeeds", async () => {
  const customer = await new World().customer();
  const created = await customer.call("POST", "/templates", { name: "A", body: "Hello" });
  const headers = { "If-Match": created.headers.get("ETag") ?? "" };
  const { id } = created.body.template;
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      customer.call("PATCH", `/templates/${id}`, { body: `Hello ${index}` }, { headers }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(9).fill(412)]);
});
