import fc from "fast-check";
import { expect, it } from "vitest";
import { customerWith } from "../../support/campaigns.ts";
import { createTemplate } from "../../support/templates.ts";

const odd = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom("", " ", "{{1}}", "{{", "{{name|}}", "{{__proto__}}", "VIP", "%", "\u0000", "2026-02-30T00:00:00Z"),
  fc.integer(),
  fc.double(),
  fc.constant(null),
  fc.boolean(),
);
/** Usually returns a valid value. */
const mostly = <T>(right: fc.Arbitrary<T>) => fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: odd });
const soon = fc.integer({ min: 1, max: 300 }).map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
const someday = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
const name = fc.constantFrom("1", "name", "__proto__", "constructor", "");

/** Returns request bodies of every shape, from nearly valid to completely invalid. */
const shapes = (templates: string[]) =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record(
        {
          template_id: mostly(fc.constantFrom(...templates, "tpl_none")),
          channel: mostly(fc.constant("unofficial")),
          name: mostly(fc.constant("Spring")),
          scheduled_at: mostly(soon),
          send_before: mostly(fc.oneof(soon, someday)),
          filter_tags: mostly(fc.array(fc.constantFrom("VIP", "vip "), { minLength: 1, maxLength: 60 })),
          filter_status: mostly(fc.constantFrom("new", "hot")),
          variables: fc.oneof(
            fc.array(mostly(fc.constant("{{name|you}}")), { maxLength: 2 }),
            fc.dictionary(name, odd),
          ),
        },
        { requiredKeys: ["template_id", "channel"] },
      ),
    },
    { weight: 1, arbitrary: fc.object({ maxDepth: 3 }) },
    { weight: 1, arbitrary: fc.anything({ maxDepth: 2 }) },
  );

const paths = ["/campaigns", "/campaigns/preview"] as const;

async function expectNoFailure(numRuns: number): Promise<void> {
  const { world, customer } = await customerWith(3);
  await customer.manage("PATCH", `/api-keys/${customer.keyId}`, {
    rate_limit: { requests: 10_000, window_seconds: 3600 },
  });
  await customer.call("POST", "/contacts", { phone: "+14155550100", tags: ["VIP"] });
  const templates = [await createTemplate(customer, "Hi {{name}}"), await createTemplate(customer, "Hi {{name|you}}")];
  const statuses = new Set<number>();
  const valid = { template_id: templates[1], channel: "unofficial" };
  const near = [
    valid,
    { ...valid, template_id: "tpl_none" },
    { ...valid, channel: "post" },
    { ...valid, filter_status: "hot" },
  ];
  const examples = near.flatMap((body) => paths.map((path): [object, (typeof paths)[number]] => [body, path]));
  await fc.assert(
    fc.asyncProperty(shapes(templates), fc.constantFrom(...paths), async (body, path) => {
      const raw = JSON.stringify(body) ?? "";
      const answer = await customer.call("POST", path, undefined, {
        raw,
        headers: { "Content-Type": "application/json" },
      });
      statuses.add(answer.status);
      expect(answer.status, `${raw}: ${JSON.stringify(answer.body)}`).toBeLessThan(500);
    }),
    { numRuns, examples },
  );
  expect([...statuses].toSorted((a, b) => a - b)).toEqual(expect.arrayContaining([200, 201, 400, 404, 422]));
  await world.settle({ withinMs: 60_000 });
}

it("A campaign start or preview succeeds or returns an error with a reason, for any request body", () =>
  expectNoFailure(40));

it("A campaign start or preview never returns an internal error, for 400 request bodies", { tags: "long" }, () =>
  expectNoFailure(400),
);
