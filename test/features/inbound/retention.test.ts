import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { sampleAndRest } from "../../support/long.ts";
import { recordedWorld } from "../../support/recording.ts";
import { campaign, change, customerWith, started } from "../../support/campaigns.ts";
import { onShard } from "../../support/storage.ts";
import { type Customer, World } from "../../support/world.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

beforeEach(stopClock);

interface Kept {
  what: string;
  table: string;
  /** The condition for this customer's rows. */
  own: string;
  keptMs: number;
  columns: string;
  /** The values of one row. `n` is its number, `age` the time since its last use, `:owner` its owner. */
  values: string;
  inControl?: boolean;
}

const tables: Kept[] = [
  {
    what: "Answers to requests with an Idempotency-Key are deleted two days after their own",
    table: "idempotency",
    own: "actor",
    keptMs: 3 * DAY,
    columns: "day, actor, key, operation, fingerprint, result, created_at",
    values: `:at / ${DAY}, :owner, n, '', '', '{}', :at`,
  },
  {
    what: "Statuses of messages that never came are deleted after a day",
    table: "early_statuses",
    own: "connection_id",
    keptMs: DAY,
    columns: "connection_id, provider_key, workspace_id, provider_message_id, state, created_at",
    values: "':owner', n, '', '', 3, :at",
  },
  {
    what: "Dead events are deleted after 30 days",
    table: "dead_letters",
    own: "workspace_id",
    keptMs: 30 * DAY,
    columns: "id, workspace_id, queue, reason, payload, created_at",
    values: ":owner || n, :owner, 'events', '', '{}', :at",
  },
  {
    what: "What the sandbox was handed is deleted after 30 days",
    table: "sandbox_deliveries",
    own: "connection_id",
    keptMs: 30 * DAY,
    columns: "id, connection_id, message_id, address, body, attempt, at",
    values: "n, :owner, 'msg', '+1', 'Hi', 1, :at",
  },
  {
    what: "Sessions are deleted when they have ended",
    table: "sessions",
    own: "user_id",
    keptMs: 0,
    columns: "id, token, user_id, expires_at, created_at, updated_at",
    values: ":owner || n, :owner || n, :owner, :at, :at, :at",
    inControl: true,
  },
  {
    what: "Counts of attempts to sign in are deleted when they have ended",
    table: "sign_in_attempts",
    own: "substr(key, 1, length(:owner))",
    keptMs: 0,
    columns: "key, count, until",
    values: ":owner || n, 1, :at",
    inControl: true,
  },
  {
    what: "Invitations, accepted or not, are deleted 30 days after they have ended",
    table: "invitations",
    own: "workspace_id",
    keptMs: 30 * DAY,
    columns: "id, workspace_id, email, role, hash, expires_at, accepted_at, created_at",
    values: ":owner || n, :owner, n, 'agent', :owner || n, :at, iif(n % 2, NULL, 1), 1",
    inControl: true,
  },
  {
    what: "Networks that users signed in from are forgotten after 90 days",
    table: "sign_in_networks",
    own: "user_id",
    keptMs: 90 * DAY,
    columns: "user_id, network, last_at",
    values: ":owner, n, :at",
    inControl: true,
  },
  {
    what: "Links for a new password, used or not, are deleted 30 days after they have ended",
    table: "reset_links",
    own: "user_id",
    keptMs: 30 * DAY,
    columns: "hash, user_id, workspace_id, expires_at, used_at, created_at",
    values: ":owner || n, :owner, :owner, :at, iif(n % 2, NULL, 1), 1",
    inControl: true,
  },
];

/** Inserts rows numbered from `from`, last used at `at`. */
async function insert(customer: Customer, kept: Kept, { from, count, at }: Record<"from" | "count" | "at", number>) {
  const owner = `'${customer.workspaceId}'`;
  const values = kept.values.replaceAll("':owner'", owner).replaceAll(":owner", owner).replaceAll(":at", String(at));
  const sql = `
    INSERT INTO ${kept.table} (${kept.columns})
    WITH RECURSIVE numbers (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${from + count})
    SELECT ${values} FROM numbers`;
  await (kept.inControl === true ? customer.world.env.DB.prepare(sql).run() : onShard(customer, sql));
}

async function countOf(customer: Customer, { table, own, inControl }: Kept): Promise<number> {
  const owner = `'${customer.workspaceId}'`;
  const sql = `SELECT count(*) AS count FROM ${table} WHERE ${own.replaceAll(":owner", owner)} = ${owner}`;
  const [row] =
    inControl === true
      ? (await customer.world.env.DB.prepare(sql).all<{ count: number }>()).results
      : await onShard(customer, sql);
  return Number(row?.["count"]);
}

describe.each(tables)("Retention of $what", (kept) => {
  it("Rows are deleted after their retention time and not before", async () => {
    const customer = await new World().customer();
    const edge = Date.now() - kept.keptMs;
    await insert(customer, kept, { from: 0, count: 3, at: edge - 2 });
    await insert(customer, kept, { from: 10, count: 2, at: edge + (kept.table === "idempotency" ? DAY : 2) });
    await customer.world.cron();
    expect(await countOf(customer, kept)).toBe(2);
    await customer.world.cron();
    expect(await countOf(customer, kept)).toBe(2);
  });
});

describe.each(sampleAndRest(tables, (_, index) => index === 0))("Many old rows ($which)", ({ some, options }) => {
  it.each(some)(
    "Old rows are deleted in bounded chunks per minute until none is left: $table",
    options,
    async (kept) => {
      const { world, recording } = recordedWorld();
      const customer = await world.customer();
      await insert(customer, kept, { from: 0, count: 20_500, at: Date.now() - kept.keptMs - DAY });
      recording.take();
      await world.cron();
      const deletes = recording.take().filter(({ sql }) => sql.includes(`delete from "${kept.table}"`));
      expect(deletes.length).toBeGreaterThanOrEqual(20);
      // Rows of the table and of its indexes.
      expect(Math.max(...deletes.map(({ rowsWritten }) => rowsWritten))).toBeLessThanOrEqual(6000);
      expect(await countOf(customer, kept)).toBe(500);
      await world.cron();
      expect(await countOf(customer, kept)).toBe(0);
    },
  );
});

it("The cron runs one retention statement per table and reads hardly a row if no row is old", async () => {
  const { world, recording } = recordedWorld();
  await world.customer();
  await world.cron();
  recording.take();
  await world.cron();
  const deletes = recording.take().filter(({ sql }) => sql.startsWith("delete from"));
  // A shard: statuses, idempotency, dead events, sandbox deliveries, sent events, revisions, uploads, jobs. The control
  // database: sessions, sign-in attempts and networks, invitations, reset links.
  expect(deletes.length).toBe(2 * 8 + 5);
  for (const { sql, rowsRead, rowsWritten } of deletes) expect([rowsRead <= 4, rowsWritten], sql).toEqual([true, 0]);
});

it("The data of an ended campaign is deleted in bounded chunks until none is left", async () => {
  const { world, customer } = await customerWith(3);
  const id = await started(customer);
  await world.settle();
  const numbers = `
    INSERT INTO spent_numbers (campaign_id, phone_key, contact_seq)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000) SELECT ?, i, i FROM n`;
  await onShard(customer, numbers, id);
  await onShard(customer, "UPDATE campaigns SET wake_at = 1 WHERE id = ?", id);
  const left = async () =>
    (
      await onShard(
        customer,
        "SELECT (SELECT count(*) FROM spent_numbers WHERE campaign_id = p.id) AS numbers, (SELECT count(*) FROM leases WHERE campaign_id = p.id) AS leases, wake_at FROM campaigns p WHERE id = ?",
        id,
      )
    )[0];
  const seen = [];
  for (let minute = 0; minute < 3; minute++) {
    world.advance(MINUTE);
    await world.cron();
    await world.queues.deliverDue(world.env);
    seen.push(await left());
  }
  expect(seen).toEqual([
    { numbers: 7000, leases: 0, wake_at: 1 },
    { numbers: 2000, leases: 0, wake_at: 1 },
    { numbers: 0, leases: 0, wake_at: null },
  ]);
  expect((await campaign(customer, id)).status).toBe("completed");
  expect((await change(customer, id, "resume")).status).toBe(409);
});
