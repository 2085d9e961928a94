import { expect, test } from "vitest";
import { getListParts, renameView, saveView } from "../../../src/features/contact-views/contact-views.service.ts";
import { contextOf } from "../../support/context.ts";
import { World } from "../../support/world.ts";

interface Case {
  kind: string;
  path: string;
  body: object;
  /** Each of ten requests sets this field to a different value. */
  field: string;
}

const cases: Case[] = [
  { kind: "tag", path: "/tags", body: { name: "a" }, field: "name" },
  { kind: "canned_reply", path: "/canned-replies", body: { shortcut: "a", body: "a" }, field: "body" },
  {
    kind: "custom_field",
    path: "/custom-fields",
    body: { field_key: "a", label: "a", type: "text" },
    field: "label",
  },
  {
    kind: "segment",
    path: "/segments",
    body: { name: "a", filter: { match: "all", conditions: [{ field: "status", op: "eq", value: "hot" }] } },
    field: "name",
  },
];

test.for(cases)(
  "No change is lost if ten requests change one $kind concurrently, and at most one request returns 503",
  async (each) => {
    const { kind, path, body: sent, field } = each;
    const customer = await new World().customer();
    const { body: created } = await customer.call("POST", path, sent);
    const { id, [field]: first } = created[kind];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => customer.call("PATCH", `${path}/${id}`, { [field]: `value ${index}` })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses.filter((status) => status === 503).length).toBeLessThanOrEqual(1);
    const { body } = await customer.call("GET", `/events?types=${kind}.updated`);
    const changes: [string, string][] = body.events.map(
      (event: { changes: Record<string, [string, string]> }) => event.changes[field],
    );
    expect(changes).toHaveLength(statuses.filter((status) => status === 200).length);
    // Each change starts from the value of the previous change.
    for (const [index, [before]] of changes.entries())
      expect(before).toBe(index === 0 ? first : changes[index - 1]?.[1]);
  },
);

test("At most one of ten concurrent renames of a saved view returns 503, and the view has one of the names", async () => {
  const ctx = await contextOf(await new World().customer());
  const { id } = await saveView(ctx, { name: "a", query: {} });
  const renames = Array.from({ length: 10 }, (_, index) => renameView(ctx, id, `name ${index}`));
  const outcomes = await Promise.allSettled(renames);
  const refused = outcomes.filter(({ status }) => status === "rejected");
  expect(refused.length).toBeLessThanOrEqual(1);
  for (const outcome of refused) expect(outcome).toMatchObject({ reason: { code: "unavailable" } });
  expect((await getListParts(ctx)).views).toMatchObject([{ id, name: expect.stringMatching(/^name \d$/) }]);
});
