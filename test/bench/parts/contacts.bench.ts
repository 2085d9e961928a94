import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { CONTACTS_PER_PART } from "../../../src/features/contacts/upsert/upsert-batch.ts";
import { encodeCursor } from "../../../src/http/fields.ts";
import { HOUR_MS } from "../../../src/shared/time/durations.ts";
import { onShard } from "../../support/storage.ts";
import { recordedWorld } from "../../support/recording.ts";
import type { Answer, Customer } from "../../support/world.ts";
import { measureImport } from "./import-contacts.ts";
import { Crowd, person } from "./many-contacts.ts";
import { contactsWanted, Table } from "./report.ts";
import { statementCpu } from "./statement-cpu.ts";
import { REASONS } from "./contacts-reasons.ts";

const NEIGHBOURS = 20_000;
const OFFSET = 500;
const MAX_SEARCH = 100;
const MAX_RATIO = 10;

interface Case {
  path: string;
  /**
   * "search": at most 100 rows, and two per visible tag. "free": no budget except for the round trip, because the call
   * reads every row that it counts.
   */
  budget: "list" | "search" | "free";
  who?: "neighbour";
}

const search = (term: string, rest = "") => `/contacts?search=${encodeURIComponent(term)}${rest}`;

function casesOf(
  crowd: Crowd,
  size: number,
  ids: { contact: string; segments: Record<string, string> },
): Record<string, Case> {
  const list = (query: string): Case => ({ path: `/contacts${query}`, budget: "list" });
  const find = (term: string, rest = ""): Case => ({ path: search(term, rest), budget: "search" });
  const mix = (query: string): Case => ({ path: `/contacts?${query}`, budget: "search" });
  const next = (contact: Case): Case => ({ ...contact, who: "neighbour" });
  const half = encodeCursor([crowd.base + size / 2]);
  const { segments } = ids;
  return {
    list: list(""),
    "list, limit 100": list("?limit=100"),
    "list, cursor in the middle": list(`?cursor=${half}`),
    [`list, offset ${OFFSET}`]: list(`?offset=${OFFSET}`),
    "tag of every second": mix("tag=vip"),
    "tag of three": mix("tag=founder"),
    "tag that is unknown": mix("tag=nobody"),
    source: mix("source=import"),
    status: mix("status=hot"),
    archived: mix("archived=true"),
    "tag + status": mix("tag=vip&status=hot"),
    "tag + source + status": mix("tag=newsletter&source=shop&status=warm"),
    "tag + source, never meet": mix("tag=vip&source=import"),
    "tag + source + status + archived, never meet": mix("tag=vip&source=import&status=active&archived=true"),
    "search rare (3 hits)": find("Quetzal"),
    "search common (a name)": find("silva"),
    "search in every row": find("example"),
    "search accents, case": find("MÜLLER"),
    "search two letters": find("an"),
    "search one letter": find("j"),
    "search phone fragment": find("(15) 10-00"),
    "search whole phone": find(person(333, "").phone),
    "search absent": find("zzyzx"),
    "search absent, of common trigrams": find("silva ana bruno"),
    "search 100 characters": find("anderson fischer silva ".repeat(5).slice(0, 100)),
    "search common, cursor in the middle": find("silva", `&cursor=${half}`),
    "search common + tag": find("example", "&tag=vip"),
    "search common + tag + source, never meet": find("example", "&tag=vip&source=import"),
    "search common + source, never meet": find("example.com", "&source=import"),
    "search rare + tag, never meet": find("Quetzal", "&tag=partner&source=import"),
    "search common, with total": { path: search("silva", "&include_total=true"), budget: "free" },
    get: { path: `/contacts/${ids.contact}`, budget: "list" },
    "segment, contacts, wide": { path: `/segments/${segments["wide"]}/contacts`, budget: "free" },
    "segment, contacts, none": { path: `/segments/${segments["none"]}/contacts`, budget: "free" },
    "segment, count": { path: `/segments/${segments["wide"]}/count`, budget: "free" },
    "neighbour: list": next(list("")),
    "neighbour: tag of every second": next(mix("tag=vip")),
    "neighbour: tag + source, never meet": next(mix("tag=vip&source=import")),
    "neighbour: search rare (3 hits)": next(find("Quetzal")),
    "neighbour: search common": next(find("silva")),
    "neighbour: search two letters": next(find("an")),
    "neighbour: search common elsewhere, absent here": next(find("Globex")),
    "neighbour: search absent, of common trigrams": next(find("silva ana bruno")),
    "neighbour: search phone fragment": next(find("(15) 10-00")),
  };
}

interface Measured {
  rows: number;
  tags: number;
  trips: number;
  read: number;
  /** CPU time of the statements in ms, and as a multiple of a plain list in the same workspace. */
  cpu: number;
  ratio: number;
}

const shownIn = ({ contacts, contact }: Answer["body"]): { tags: object[] }[] => contacts ?? [contact ?? null];

class Meter {
  /** CPU time of a plain list, in ms. */
  private readonly plain = new Map<Customer, number>();

  constructor(private readonly recording: ReturnType<typeof recordedWorld>["recording"]) {}

  async measure(customer: Customer, path: string): Promise<Measured> {
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
  const [written, perBatch] = [new Map<string, Write[]>(), (2 * 500) / CONTACTS_PER_PART];
  let filled = 0;
  for (const size of sizes) {
    await crowd.fill(filled + 1, size);
    filled = size;
    const contact = (await crowd.customer.call("GET", "/contacts?limit=1")).body.contacts[0].id;
    for (const [name, { path, budget, who }] of Object.entries(casesOf(crowd, size, { contact, segments }))) {
      const { customer } = who === "neighbour" ? neighbour : crowd;
      const { at } = measured.get(name) ?? { at: [] };
      measured.set(name, { budget, at: [...at, await meter.measure(customer, path)] });
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
    const isQuick = at.every(({ ratio }) => ratio <= MAX_RATIO);
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
      budget === "free" ? "" : `≤ ${limit}, no growth${budget === "search" ? `, CPU ≤ ${MAX_RATIO} ×` : ""}`,
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
