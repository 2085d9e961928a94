import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { MAX_WAITING, MAX_STAY_MS } from "../../../src/features/event-feed/event-feed.waiting.ts";
import { stopClock } from "../../support/clock.ts";
import { contextOf } from "../../support/context.ts";
import { customerWithEmptyLog, logEvents } from "../../support/fill-log.ts";
import { callTool } from "../../support/mcp.ts";
import { costOf, onShard } from "../../support/storage.ts";
import { type Answer, type Customer, World } from "../../support/world.ts";
import { soon } from "../../support/soon.ts";

const log = async (customer: Customer, ...types: string[]) =>
  logEvents(
    await contextOf(customer),
    types.map((type) => ({ type, id: "x_1" })),
  );

const wait = (customer: Customer, query = "wait=20", signal?: AbortSignal): Promise<Answer> =>
  customer.call("GET", `/events?${query}`, undefined, signal && { signal });

/** Resolves when a request of the workspace waits. */
const listening = (customer: Customer) =>
  soon(async () => {
    const rows = await onShard(customer, "SELECT 1 FROM event_listeners WHERE workspace_id = ?", customer.workspaceId);
    expect(rows).toHaveLength(1);
  });

const typesIn = ({ body }: Answer): string[] => body.events.map(({ type }: { type: string }) => type);

test("A request that waits for events returns within a second after the next event", async () => {
  const customer = await customerWithEmptyLog();
  const waiting = wait(customer, "wait=20&after=now");
  await listening(customer);
  const committedAt = performance.now();
  await log(customer, "tag.created");
  expect(typesIn(await waiting)).toEqual(["tag.created"]);
  expect(performance.now() - committedAt).toBeLessThan(1000);
});

test("A request with `wait` returns immediately if it finds events or can examine more", async () => {
  const customer = await customerWithEmptyLog();
  await log(customer, "tag.created");
  const answer = await wait(customer);
  expect(typesIn(answer)).toEqual(["tag.created"]);
  expect(costOf(answer)).toMatchObject({ trips: 1 });
  expect(await onShard(customer, "SELECT 1 FROM event_listeners WHERE workspace_id = ?", customer.workspaceId)).toEqual(
    [],
  );
});

test("A request that waits for events returns only matching events, and continues after the events that it examined", async () => {
  const customer = await customerWithEmptyLog();
  const waiting = wait(customer, "wait=20&types=contact.*");
  await listening(customer);
  await log(customer, "tag.created");
  await log(customer, "tag.updated", "tag.deleted");
  await log(customer, "contact.created");
  const { body } = await waiting;
  expect(body.events).toMatchObject([{ sequence: 4, type: "contact.created" }]);
  expect(body.next_after).toBe(body.events[0].id);
});

test(
  "If no event arrives in time, a request that waits for events returns an empty page with next_after",
  { tags: "long" },
  async () => {
    const world = new World();
    const [customer, other] = [await customerWithEmptyLog(world), await customerWithEmptyLog(world)];
    const waiting = wait(customer, "wait=1&types=contact.*");
    await listening(customer);
    await log(customer, "tag.created");
    await log(other, "contact.created");
    const { status, body } = await waiting;
    expect([status, body.events, body.has_more]).toEqual([200, [], false]);
    await log(customer, "contact.created");
    const next = await wait(customer, `wait=20&types=contact.*&after=${body.next_after}`);
    expect(next.body.events).toMatchObject([{ sequence: 2 }]);
  },
);

test("A request that waits for events returns an event that is logged while the request starts to wait", async () => {
  const customer = await customerWithEmptyLog();
  let after = "now";
  for (let round = 1; round <= 20; round++) {
    const waiting = wait(customer, `wait=20&after=${after}`);
    if (round === 1) await listening(customer);
    await log(customer, "tag.created");
    const { body } = await waiting;
    expect(body.events).toMatchObject([{ sequence: round }]);
    after = body.next_after;
  }
});

test("At most five requests with one key can wait for events at the same time", async () => {
  const customer = await customerWithEmptyLog(new World(), { plan: "scale" });
  for (let round = 1; round <= 3; round++) {
    const refused: Answer[] = [];
    const requests = Array.from({ length: 9 }, async () => {
      const answer = await wait(customer, "wait=20&after=now");
      if (answer.status === 429) refused.push(answer);
      return answer;
    });
    await soon(() => expect(refused).toHaveLength(9 - MAX_WAITING));
    await log(customer, "tag.created");
    const answers = await Promise.all(requests);
    const woken = answers.filter(({ status }) => status === 200);
    expect(woken.map(({ body }) => body.events.length)).toEqual([1, 1, 1, 1, 1]);
    expect(refused[0]?.body.error.code).toBe("rate_limited");
    expect(refused[0]?.headers.get("Retry-After")).toBe("1");
  }
});

test("A request that waits for events ends immediately when its caller disconnects, over HTTP and as a tool", async () => {
  const customer = await customerWithEmptyLog(new World(), { plan: "scale" });
  const caller = new AbortController();
  const { signal } = caller;
  const startedAt = performance.now();
  const tool = callTool(customer, "events_list", { wait: 20, after: "now" }, { signal });
  await listening(customer);
  const refused: Answer[] = [];
  const requests = Array.from({ length: MAX_WAITING }, async () => {
    const answer = await wait(customer, "wait=20&after=now", signal);
    if (answer.status === 429) refused.push(answer);
  });
  await soon(() => expect(refused).toHaveLength(1));
  caller.abort();
  await Promise.all([tool, ...requests]);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  const next = await Promise.all(Array.from({ length: MAX_WAITING }, () => wait(customer, "wait=1&after=now")));
  for (const { status, body } of next) expect([status, body.events]).toEqual([200, []]);
});

test("A request that waits for events counts once against the key's rate limit", async () => {
  const customer = await customerWithEmptyLog(new World(), {
    key: { rate_limit: { requests: 2, window_seconds: 3600 } },
  });
  const waiting = wait(customer, "wait=20");
  await listening(customer);
  await log(customer, "tag.created");
  expect((await waiting).headers.get("X-RateLimit-Remaining")).toBe("1");
  expect((await wait(customer, "limit=1")).status).toBe(200);
  expect((await wait(customer, "limit=1")).status).toBe(429);
});

test("Repeated requests that wait for events rarely write to the database", async () => {
  const customer = await customerWithEmptyLog();
  await log(customer, "tag.created");
  let { next_after: after } = (await wait(customer)).body;
  const written = [];
  for (let round = 0; round < 3; round++) {
    const waiting = wait(customer, `wait=20&after=${after}`);
    if (round === 0) await listening(customer);
    await log(customer, "tag.updated");
    const answer = await waiting;
    after = answer.body.next_after;
    written.push(costOf(answer)["rows_written"]);
  }
  expect(written.slice(1)).toEqual([0, 0]);
});

test("If the end of a request that waits for events is never reported, the request stops counting after half a minute", async () => {
  stopClock();
  try {
    const feed = env.EVENT_FEED.getByName(`ws_${crypto.randomUUID()}`);
    const places = [];
    for (let count = 0; count < MAX_WAITING; count++) places.push(await feed.enter("key_1"));
    expect(places).not.toContain(null);
    expect(await feed.enter("key_1")).toBeNull();
    using another = await feed.enter("key_2");
    expect(another).not.toBeNull();
    vi.setSystemTime(Date.now() + MAX_STAY_MS);
    using next = await feed.enter("key_1");
    expect(next).not.toBeNull();
    expect(await places[0]?.wait(20_000)).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});
