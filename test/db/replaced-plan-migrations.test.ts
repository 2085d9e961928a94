import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { phoneKey } from "../../src/shared/text/phone.ts";
import { onShard } from "../support/storage.ts";
import { World } from "../support/world.ts";

const MIGRATIONS = ["replaced-number-plans", "former-number-keys"];

/** Earlier versions stored these numbers of Benin and Ivory Coast. They have all possible first two digits. */
const formerKeys = Array.from({ length: 100 }, (_, first) => String(first).padStart(2, "0")).flatMap((first) => [
  `+225${first}123456`,
  `+229${first}123456`,
]);

it.each(["suppressions", "opt_ins", "marketing_suppressions", "marketing_choices"])(
  "The migrations for new numbering plans add a key to %s only for numbers that have a new spelling",
  async (table) => {
    const customer = await new World().customer();
    const { workspaceId } = customer;
    await onShard(
      customer,
      `INSERT INTO ${table} SELECT ?, value, 1 FROM json_each(?)`,
      workspaceId,
      JSON.stringify(formerKeys),
    );
    for (const each of MIGRATIONS)
      for (const query of env.TEST_MIGRATIONS.find(({ name }) => name.includes(each))?.queries ?? [])
        await onShard(customer, query);
    const rows = await onShard(customer, `SELECT key FROM ${table} WHERE workspace_id = ? ORDER BY key`, workspaceId);
    const expected = new Set([...formerKeys, ...formerKeys.map(phoneKey)]);
    expect(rows.map(({ key }) => key)).toEqual([...expected].toSorted());
  },
);
