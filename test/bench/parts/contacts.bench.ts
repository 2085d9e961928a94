import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { CONTACTS_PER_PART } from "../../../src/features/contacts/upsert/upsert-batch.ts";
import { HOUR_MS } from "../../../src/shared/time/durations.ts";
import { onShard } from "../../support/storage.ts";
import { recordedWorld } from "../../support/recording.ts";
import type { Answer, Customer } from "../../support/world.ts";
import { type Case, casesOf, countEntries, OFFSET, REASONS } from "./contacts-cases.ts";
import { measureImport } from "./import-contacts.ts";
import { Crowd, person } from "./many-contacts.ts";
import { contactsWanted, Table } from "./report.ts";
import { statementCpu } from "./statement-cpu.ts";

const NEIGHBOURS = 20_000;
const MAX_SEARCH = 100;
const MAX_RATIO = 10;
/** Some searches must compare whole lists of the search index. Their CPU time can only grow with the lists. */
const MAX_MS_PER_ENTRY = 0.0001;

interface Measured {
  rows: number;
  tags: number;
  trips: number;
  read: number;
  /** CPU time of the statements in ms, and as a multiple of a plain list in the same workspace. */
  cpu: number;
  ratio: number;
  /** Entries of the lists that the search compares to their ends. */
  entries: number;
}

const shownIn = ({ contacts, contact }: Answer["body"]): { tags: object[] }[] => contacts ?? [contact ?? null];

class Meter {
  /** CPU time of a plain list, in ms. */
  private readonly plain = new Map<Customer, number>();

  constructor(private readonly recording: ReturnType<typeof recordedWorld>["recording"]) {}

  async measure(customer: Customer, { path, compared }: Case): Promise<Measured> {
    await customer.call("GET", path);
    this.recording.take();
    const { status, body } = await customer.call("GET", path);
    const ran = this.recording.take();
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
    const cpus = [await statementCpu(ran)];
    const isPlain = path === "/contacts";
    // The plain list is measured three times, because the first result includes work of the inserts.
    if (isPlain) cpus.push(await statementCpu(ran), await statementCpu(ran));
    const cpu = cpus.toSorted((a, b) => a - b)[isPlain ? 1 : 0] ?? 0;
    if (isPlain) this.plain.set(customer, cpu);
    const shown = shownIn(body);
    return {
      rows: shown.length,
      tags: shown.reduce((sum, contact) => sum + (contact?.tags.length ?? 0), 0),
      trips: new Set(ran.map(({ trip }) => trip)).size,
      read: ran.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
      cpu,
      ratio: cpu / (this.plain.get(customer) ?? cpu),
      entries: compared === undefined ? 0 : await countEntries(compared),
    };
  }

  async write(work: () => Promise<Answer>, status: number) {
    this.recording.take();
    const answer = await work();
    const ran = this.recording.take();
    if (answer.status !== status) throw new Error(JSON.stringify(answer.body));
    const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
    return {
      trips: new Set(ran.map(({ trip }) => trip)).size,
      read: sum(ran.map(({ rowsRead }) => rowsRead)),
      written: sum(ran.map(({ rowsWritten }) => rowsWritten)),
    };
  }
}

async function segmentsOf({ customer }: Crowd): Promise<Record<string, string>> {
  const save = async (name: string, ...conditions: object[]) => {
    const filter = { match: "all", conditions };
    return String((await customer.call("POST", "/segments", { name, filter })).body.segment.id);
  };
  const pro = { field: "custom_fields.plan", op: "eq", value: "pro" };
  return {
    wide: await save("Pros in Berlin", { field: "tags", op: "has_any", value: ["Berlin", "VIP"] }, pro),
    none: await save("Nobody", { field: "tags", op: "has_all", value: ["VIP", "Retail"] }),
  };
}

type Write = Awaited<ReturnType<Meter["write"]>>;

/** Measures upserts and a batch of 500 contacts. Reverts the changes, so that lists stay the same. */
async function writesAt(crowd: Crowd, size: number, meter: Meter): Promise<Record<string, Write>> {
  const { customer, base } = crowd;
  const upsert = (body: object, ask?: { headers: Record<string, string> }) => () =>
    customer.call("POST", "/contacts", body, ask);
  const once = () => ({ headers: { "Idempotency-Key": crypto.randomUUID() } });
  const fresh = (n: number) => ({ ...person(n, "Globex"), phone: `+1212${n}`, email: `somebody.new${n}@example.com` });
  const batch = Array.from({ length: 500 }, (_, index) => fresh(3_000_000 + index));
  const old = person(Math.floor(size / 2), "Globex");
  await upsert(fresh(1_999_999))(); // the first write of custom fields in an isolate reads their definitions
  const writes = {
    "upsert, new": await meter.write(upsert(fresh(2_000_000)), 201),
    "upsert, new, with idempotency": await meter.write(upsert(fresh(2_000_001), once()), 201),
    "upsert, existing by phone": await meter.write(upsert({ phone: old.phone, name: old.name, tags: ["VIP"] }), 200),
    "upsert, existing by email": await meter.write(upsert({ email: old.email, custom_fields: { score: 7 } }), 200),
    "batch of 500, new": await meter.write(() => customer.call("POST", "/contacts/batch", { contacts: batch }), 200),
    "batch of 500, again": await meter.write(() => customer.call("POST", "/contacts/batch", { contacts: batch }), 200),
  };
  await onShard(customer, "DELETE FROM contacts WHERE seq BETWEEN ? AND ?", base + size + 1, base + 2 ** 32 - 1);
  return writes;
}

it("The costs that grow with the number of contacts stay within their budgets", { timeout: HOUR_MS }, async () => {
  const most = await contactsWanted();
  const sizes = [...new Set([1000, 100_000, 1_000_000].map((size) => Math.min(size, most)))];
  const { world, recording } = recordedWorld();
  const meter = new Meter(recording);
  const neighbour = await Crowd.open(world, "Hooli");
  const crowd = await Crowd.open(world, "Globex");
  await neighbour.fill(1, NEIGHBOURS);
  const segments = await segmentsOf(crowd);

  const measured = new Map<string, { budget: Case["budget"]; at: Measured[] }>();
  const [written, perBatch] = [new Map<string, Write[]>(), 2 * Math.ceil(500 / CONTACTS_PER_PART)];
  let filled = 0;
  for (const size of sizes) {
    await crowd.fill(filled + 1, size);
    filled = size;
    const contact = (await crowd.customer.call("GET", "/contacts?limit=1")).body.contacts[0].id;
    for (const [name, each] of Object.entries(casesOf(crowd, size, { contact, segments }))) {
      const { customer } = each.who === "neighbour" ? neighbour : crowd;
      const { at } = measured.get(name) ?? { at: [] };
      measured.set(name, { budget: each.budget, at: [...at, await meter.measure(customer, each)] });
    }
    for (const [name, write] of Object.entries(await writesAt(crowd, size, meter)))
      written.set(name, [...(written.get(name) ?? []), write]);
  }

  const columns = (what: string) => sizes.map((size) => `${what} at ${size}`);
  const reads = new Table(
    `Contacts: ${sizes.join(", ")} in one workspace, beside one of ${NEIGHBOURS}, in one database; CPU of the statements against that of a plain list`,
    ["what", "rows", "tags", "trips", ...columns("read"), ...columns("CPU ×")],
    REASONS,
  );
  for (const [name, { budget, at }] of measured) {
    const [{ rows, tags, trips } = { rows: 0, tags: 0, trips: 0 }] = at.slice(-1);
    const max = 3 * rows + 5 + 2 * tags + (name.includes("offset") ? OFFSET : 0);
    const limit = budget === "search" ? MAX_SEARCH + 2 * tags : max;
    // A page reads each visible tag once. So the number of rows depends slightly on which contacts have tags.
    const rest = at.map((each) => each.read - 3 * each.rows);
    const grows = Math.max(...rest) > (rest[0] ?? 0) + 10;
    const isQuick = at.every(({ ratio, cpu, entries }) => ratio <= MAX_RATIO || cpu <= entries * MAX_MS_PER_ENTRY);
    const entries = at.at(-1)?.entries ?? 0;
    const orEntries = entries === 0 ? "" : ` or ${MAX_MS_PER_ENTRY * 1000} µs for each of ${entries} index entries`;
    const met = trips === 1 && at.every(({ read }) => read <= limit) && !grows && (budget === "list" || isQuick);
    reads.add(
      [
        name,
        rows,
        tags,
        trips,
        ...at.map(({ read }) => read),
        ...at.map(({ cpu, ratio }) => (name.endsWith("list") ? `${cpu.toFixed(2)} ms` : ratio.toFixed(1))),
      ],
      budget === "free"
        ? ""
        : `≤ ${limit}, no growth${budget === "search" ? `, CPU ≤ ${MAX_RATIO} ×${orEntries}` : ""}`,
      budget === "free" ? null : met,
    );
  }
  await reads.show();

  const writeColumns = ["what", "trips", ...columns("read"), ...columns("written")];
  const writes = new Table("Contacts: writes at the same sizes", writeColumns, REASONS);
  for (const [name, at] of written) {
    const [trips, read] = [Math.max(...at.map((write) => write.trips)), at.map((write) => write.read)];
    const maxTrips = name.startsWith("batch") ? perBatch : 2;
    const met = trips <= maxTrips && Math.max(...read) <= Math.min(...read) + 5;
    writes.add([name, trips, ...read, ...at.map(({ written: w }) => w)], `≤ ${maxTrips} trips, read ± 5`, met);
  }
  await writes.show();
  const { count } = (await env.DB.prepare("SELECT count(*) AS count FROM contacts").first<{ count: number }>()) ?? {};
  expect(count).toBe(NEIGHBOURS + filled);
  await measureImport(crowd, filled);
});
