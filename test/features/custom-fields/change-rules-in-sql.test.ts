import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { it } from "vitest";
import { shardDatabase } from "../../../src/db/client.ts";
import { refuseChange } from "../../../src/features/custom-fields/custom-fields.changes.ts";
import { isChangeAllowed } from "../../../src/features/custom-fields/custom-fields.sql.ts";

const key = fc.constantFrom("plan", "note");
const type = fc.constantFrom("text", "number", "select", "multi_select");
const options = fc.uniqueArray(fc.constantFrom("a", "b", "c"), { maxLength: 2 });
const field = fc.record({ field_key: key, type, removed_options: options });
const change = fc.record({
  label: fc.constant(undefined),
  fieldKey: fc.option(key, { nil: undefined, freq: 1 }),
  type: fc.option(type, { nil: undefined, freq: 1 }),
  options: fc.oneof(fc.constant(undefined), fc.constant(null), options),
});

const expectSameAsRule = (numRuns: number) =>
  fc.assert(
    fc.asyncProperty(field, change, async (stored, sent) => {
      const [row] = await shardDatabase(env, 0).all<{ allowed: number }>(sql`
        SELECT ${isChangeAllowed(sent)} AS allowed FROM (
          SELECT ${stored.field_key} AS field_key, ${stored.type} AS type, ${JSON.stringify(stored.removed_options)} AS removed_options)`);
      return row?.allowed === Number(refuseChange(stored, sent) === null);
    }),
    { numRuns, endOnFailure: true },
  );

it("A change of a custom field is stored exactly where the rule allows it", () => expectSameAsRule(20));

it("Each of 150 changes of a custom field is stored exactly where the rule allows it", { tags: "long" }, () =>
  expectSameAsRule(150),
);
