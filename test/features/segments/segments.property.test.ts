import { env } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/d1";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { fold } from "../../../src/shared/text/folding.ts";
import { compileFilter } from "../../../src/features/segments/compile-filter.sql.ts";
import { readFilter } from "../../../src/features/segments/segments.reading.ts";
import { phoneKey } from "../../../src/shared/text/phone.ts";
import { contact, fields, filter, type Model, NOW, tags } from "../../support/segment-model.ts";
import { holds } from "../../support/segment-truth.ts";

const SEED = 7;
const WORKSPACE = "ws_model";
const db = drizzle(env.DB);
const models = fc.sample(contact, { numRuns: 250, seed: SEED });
const idOf = (index: number) => `ct_${index}`;

const foldedOrNull = (value: unknown) => (typeof value === "string" ? fold(value) || null : null);

function rowOf({ own, tags: held, custom }: Model, index: number) {
  const values = fields.flatMap(({ number, key }) => {
    const value = custom[key] ?? null;
    return value === null ? [] : [{ number, value }];
  });
  const folded = {
    ...Object.fromEntries(
      ["name", "email", "company", "address_as", "source"].map((name) => [name, foldedOrNull(own[name])]),
    ),
    ...Object.fromEntries(values.map(({ number, value }) => [`f${number}`, foldedOrNull(value)])),
  };
  return {
    ...own,
    seq: index + 1,
    id: idOf(index),
    phone_key: typeof own.phone === "string" ? phoneKey(own.phone) : null,
    tags: JSON.stringify(held),
    custom_fields: JSON.stringify(Object.fromEntries(values.map(({ number, value }) => [number, value]))),
    folded: JSON.stringify(folded),
  };
}

beforeAll(async () => {
  await env.DB.prepare(
    `INSERT INTO contacts (seq, id, workspace_id, name, phone, phone_key, email, company, status, lifecycle_stage, source,
       address_as, tags, custom_fields, folded, created_at, updated_at, archived_at)
     SELECT value ->> 'seq', value ->> 'id', ?, value ->> 'name', value ->> 'phone', value ->> 'phone_key', value ->> 'email',
       value ->> 'company', value ->> 'status', value ->> 'lifecycle_stage', value ->> 'source', value ->> 'address_as',
       value ->> 'tags', value ->> 'custom_fields', value ->> 'folded', value ->> 'created_at', value ->> 'updated_at', 1
     FROM json_each(?)`,
  )
    .bind(WORKSPACE, JSON.stringify(models.map(rowOf)))
    .run();
  const optedOut = (field: string) => models.flatMap(({ own }, index) => (own[field] === true ? [idOf(index)] : []));
  const talks = models.flatMap(({ inbound }, index) =>
    inbound.map((at, n) => ({ id: `cnv_${index}_${n}`, n, seq: index + 1, at })),
  );
  await env.DB.batch([
    ...[
      ["suppressions", "is_unsubscribed"],
      ["marketing_suppressions", "marketing_opt_out"],
    ].map(([table = "", field = ""]) =>
      env.DB.prepare(`INSERT INTO ${table} SELECT ?, value, 1 FROM json_each(?)`).bind(
        WORKSPACE,
        JSON.stringify(optedOut(field)),
      ),
    ),
    env.DB.prepare(
      `INSERT INTO conversations (id, workspace_id, contact_seq, connection_id, channel, last_message, last_message_at,
         last_message_id, last_inbound_at, created_at)
       SELECT value ->> 'id', ?, value ->> 'seq', 'conn_' || (value ->> 'n'), 'official', '', 1, 'm', value ->> 'at', 1 FROM json_each(?)`,
    ).bind(WORKSPACE, JSON.stringify(talks)),
    ...tags.map(({ number, name }) =>
      env.DB.prepare("INSERT INTO tags VALUES (?, ?, ?, ?, ?, '#000000', ?, 1)").bind(
        WORKSPACE,
        number,
        `tag_${number}`,
        name,
        name.toLowerCase(),
        name === "gone" ? 1 : null,
      ),
    ),
  ]);
});

const dictionary = {
  tag: (name: string) => tags.find((tag) => tag.name.toLowerCase() === name.toLowerCase()),
  field: (key: string) => fields.find((field) => field.key === key),
};

async function expectSameContacts(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(filter, async (sent) => {
      const { stored, faults } = readFilter(sent, dictionary);
      expect(faults).toEqual([]);
      if (stored === null) return;
      const condition = compileFilter(stored, fields, NOW);
      const rows = await db.all<{ id: string }>(
        sql`SELECT c.id AS id FROM contacts c WHERE c.workspace_id = ${WORKSPACE} AND ${condition} ORDER BY c.seq`,
      );
      const expected = models.flatMap((model, index) => (holds(model, idOf(index), sent) ? [idOf(index)] : []));
      expect(rows.map(({ id }) => id)).toEqual(expected);
    }),
    { numRuns },
  );
}

it("The SQL of any filter finds exactly the contacts that the documentation describes", () => expectSameContacts(80));

it("The SQL of each of 600 filters finds exactly the contacts that the documentation describes", { tags: "long" }, () =>
  expectSameContacts(600),
);
