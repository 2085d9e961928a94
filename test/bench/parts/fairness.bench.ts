// One workspace makes as many requests as possible. Measures the requests of another workspace in the same database.
import { expect, it } from "vitest";
import { recordedWorld } from "../../support/recording.ts";
import { type Answer, type Customer, World } from "../../support/world.ts";
import { Crowd } from "./many-contacts.ts";
import { contactsWanted, Table } from "./report.ts";

const AT_ONCE = 10;
const LOOKS = 200;
const MAX_RATIO = 2;
/** With less than half of the database's time in use, most requests of other workspaces do not wait. */
const MAX_PART = 0.5;
const MAX_CONTACTS = 100_000;

const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

async function look(customer: Customer, path: string): Promise<number> {
  const start = performance.now();
  const { status } = await customer.call("GET", path);
  expect(status).toBe(200);
  return performance.now() - start;
}

async function looks(customer: Customer, path: string): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < LOOKS; n++) times.push(await look(customer, path));
  return times;
}

/**
 * Has no budget. In the bench, one thread runs databases and Worker, so any ten requests slow others down. When
 * deployed, workspaces share only the database.
 */
const COMPARED = "ten GET /tags";

type Ask = (n: number) => Promise<Answer>;

/** Sends requests, `AT_ONCE` at a time, until `until` resolves. Returns the number of responses. */
async function saturate(ask: Ask, until: Promise<unknown>) {
  const asked = { answered: 0, refused: 0, ms: 0 };
  const start = performance.now();
  const state = { isOver: false, n: 0 };
  const one = async () => {
    while (!state.isOver) {
      const { status, body } = await ask(state.n++);
      if (status !== 200 && status !== 429) throw new Error(JSON.stringify(body));
      asked[status === 200 ? "answered" : "refused"]++;
    }
  };
  const all = Promise.all(Array.from({ length: AT_ONCE }, one));
  await until;
  state.isOver = true;
  await all;
  return { ...asked, ms: performance.now() - start };
}

/** All requests are different, so that no response comes from a cache. */
async function asksOf({ customer }: Crowd): Promise<Record<string, Ask>> {
  const member = await customer.member("admin");
  const segment = async (score: number) => {
    const conditions = [
      { field: "tags", op: "has_any", value: ["VIP"] },
      { field: "custom_fields.score", op: "gte", value: score },
    ];
    const filter = { match: "all", conditions };
    return String((await customer.call("POST", "/segments", { name: "Segment", filter })).body.segment.id);
  };
  const segments: string[] = [];
  for (let n = 0; n < 100; n++) segments.push(await segment(n));
  const segmentOf = (n: number) => segments[n % segments.length] ?? "";
  const template = (await customer.call("POST", "/templates", { name: "Hi", body: "Hi {{name|you}}" })).body.template
    .id;
  const order = (n: number) => ({ template_id: template, channel: "unofficial", segment_id: segmentOf(n) });
  return {
    "ten GET /tags": () => customer.call("GET", "/tags"),
    "ten segment counts at once": (n) => customer.call("GET", `/segments/${segmentOf(n)}/count`),
    "ten pages of segments": (n) => customer.call("GET", `/segments/${segmentOf(n + 50)}/contacts?limit=100`),
    "ten campaign previews": (n) => customer.call("POST", "/campaigns/preview", order(n)),
    "ten searches that never meet": () => customer.call("GET", "/contacts?search=example.com&source=import"),
    "ten totals": (n) => customer.call("GET", `/contacts?search=${String(100 + (n % 900))}&limit=1&include_total=true`),
    "ten exports": () => member.get(`/console/${customer.workspaceId}/contacts/export/part`),
  };
}

it("A busy workspace leaves other workspaces their share of the database's time", async () => {
  const size = Math.min(await contactsWanted(), MAX_CONTACTS);
  const { world, recording } = recordedWorld();
  const [crowd, neighbour] = [await Crowd.open(world, "Initech"), await Crowd.open(new World(), "Globex")];
  await crowd.fill(1, size);
  await neighbour.fill(1, 1000);
  const asks = await asksOf(crowd);
  const table = new Table(
    `Another workspace's GET /tags, alone and beside a workspace of ${size} contacts that asks for all it can (medians of ${LOOKS})`,
    [
      "beside",
      "alone ms",
      "beside ms",
      "ratio",
      "p95 beside",
      "answered",
      "refused",
      "its statements/s",
      "its rows/s",
      "its part of the database's time",
    ],
  );
  await looks(neighbour.customer, "/tags");
  for (const [name, ask] of Object.entries(asks)) {
    const before = await looks(neighbour.customer, "/tags");
    const beside = looks(neighbour.customer, "/tags");
    recording.take();
    const { answered, refused, ms } = await saturate(ask, beside);
    const ran = recording.take();
    const aSecond = (amount: number) => ((amount * 1000) / ms).toFixed(0);
    const rows = ran.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
    const part = ran.reduce((sum, { sqlMs }) => sum + sqlMs, 0) / ms;
    const after = await looks(neighbour.customer, "/tags");
    const [alone, busy] = [median([...before, ...after]), await beside];
    const ratio = median(busy) / alone;
    const p95 = busy.toSorted((a, b) => a - b)[Math.floor(0.95 * busy.length)] ?? 0;
    const times = [alone.toFixed(1), median(busy).toFixed(1), ratio.toFixed(2), p95.toFixed(1)];
    const work = [aSecond(ran.length), aSecond(rows), `${(100 * part).toFixed(0)} %`];
    const hasBudget = name !== COMPARED;
    table.add(
      [name, ...times, answered, refused, ...work],
      hasBudget ? `≤ ${MAX_RATIO} ×, ${100 * MAX_PART} %` : "",
      hasBudget ? ratio <= MAX_RATIO && part <= MAX_PART : null,
    );
  }
  await table.show();
});
