// Compares the cost of each endpoint with endpoint-costs.txt, so that every increase is visible. `npx vitest run -u` of
// this file updates the costs.
import { expect, test, vi } from "vitest";
import { surfaces } from "../support/surfaces.ts";
import { CONTACTS_PER_PART } from "../../src/features/contacts/upsert/upsert-batch.ts";
import { MESSAGES_PER_PART } from "../../src/features/messages/send/send-batch.ts";
import { ReadShares } from "../../src/features/scans/scans.heavy-use.ts";
import { stopClock } from "../support/clock.ts";
import { callsOf } from "../support/endpoint-calls.ts";
import { CALLS, populate } from "../support/endpoint-data.ts";
import { meteredWorld } from "../support/metered-world.ts";
import { costOf as costOfAnswer } from "../support/storage.ts";
import type { Answer } from "../support/world.ts";

/** An isolate caches a key for less than this time. */
const HELD_MS = 60_000;

/** Answers of large counts are kept for less than this. */
const KEPT_MS = 6000;

/** After the check of the request, these endpoints count an audience. */
const AUDIENCE = ["POST /campaigns", "POST /campaigns/preview", "POST /campaigns/:id/preview"];
/** These endpoints first read the campaign's request. */
const STORED_AUDIENCE = ["PATCH /campaigns/:id", "POST /campaigns/:id/start", "POST /campaigns/:id/test"];
/** These take a round trip for each part of this size, and one more to read the replays of the parts. */
const IN_PARTS = new Map([
  ["POST /contacts/batch", CONTACTS_PER_PART],
  ["POST /messages/batch", MESSAGES_PER_PART],
]);
/**
 * These do large work, one request at a time per workspace. They call the key's limiter, and start and end a turn. The
 * search has a text and further filters.
 */
const IN_TURN = [...AUDIENCE, ...STORED_AUDIENCE, "GET /contacts", "GET /segments/:id/count", ...IN_PARTS.keys()];
/** These read the rows that they examine or count, in addition to the returned rows. */
const EXAMINING = [
  "GET /campaigns/:id/recipients.csv",
  "GET /events",
  "GET /segments/:id/contacts",
  "GET /segments/:id/count",
  "GET /status",
];

/** These endpoints read the progress of webhooks from at most ten objects, and notify one object of a change. */
const WITH_SENDERS = "/webhooks";
const MAX_SENDERS = 10;

/**
 * Before the decision, these endpoints read the names in a filter, the template and its values, or the rows that can
 * reject a row. A count reads the contacts in slices.
 */
const DECIDING = [
  "POST /campaigns/:id/duplicate",
  "POST /webhooks/:id/test",
  "POST /segments",
  "POST /templates/:id/send",
  "POST /contacts/bulk",
  "GET /segments/:id/count",
];

/** Changes of settings read, decide and commit. Actions of a webhook can do the same. */
const SETTINGS =
  /^(?:PATCH|DELETE) \/(?:tags|canned-replies|custom-fields|segments|templates|webhooks|media)\/:id$|^POST \/webhooks\/:id/;

/** Reads the two contacts, then computes the merged contact, and then merges. */
const MERGING = "POST /contacts/:id/merge";

/** Tags in the response and names in filters. Each needs a lookup. */
const tagsIn = ({ contacts, segments }: Answer["body"]): number => {
  const named = (segments ?? []).flatMap(({ filter }: { filter: { conditions: object[] } }) => filter.conditions);
  return (contacts ?? []).reduce((sum: number, { tags }: { tags: object[] }) => sum + tags.length, named.length);
};
const rowsIn = (body: object) => Object.values(body).find((value) => Array.isArray(value))?.length ?? 1;

const COLUMNS = [
  "trips",
  "statements",
  "read",
  "written",
  "then trips",
  "then read",
  "then written",
  "KV",
  "objects",
  "queue",
];

interface Measured {
  name: string;
  counts: (number | string)[];
}

/** Returns the largest cost of one call. Only reads have a limit of rows. */
function budgetOf(name: string, isPublic: boolean, { body }: Answer) {
  const isRead = name.startsWith("GET") && !EXAMINING.includes(name);
  const isThree = AUDIENCE.includes(name) || name === MERGING;
  const partSize = IN_PARTS.get(name);
  const maxTrips = STORED_AUDIENCE.includes(name)
    ? 4
    : isThree
      ? 3
      : DECIDING.includes(name) || SETTINGS.test(name)
        ? 2
        : 1;
  return {
    trips: partSize === undefined ? (isPublic || isRead ? maxTrips : Infinity) : Math.ceil(rowsIn(body) / partSize) + 1,
    read: isRead ? 3 * rowsIn(body) + 5 + 2 * tagsIn(body) : Infinity,
    kv: isPublic ? 1 : Infinity,
    // A send also calls the connection's pacer. A long read also starts and ends a turn.
    objects: isPublic ? (IN_TURN.includes(name) ? 4 : name.includes(WITH_SENDERS) ? 4 + MAX_SENDERS : 2) : Infinity,
  };
}

const draw = (rows: Measured[]): string => {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const line = (name: string, cells: string[]) => [name.padEnd(width), ...cells].join("  ").trimEnd();
  const cells = ({ counts }: Measured) =>
    counts.map((count, index) => String(count).padStart(COLUMNS[index]?.length ?? 0));
  return `${[line("", COLUMNS), ...rows.map((row) => line(row.name, cells(row)))].join("\n")}\n`;
};

const MOST_USED = [
  "POST /messages",
  "GET /messages/:id",
  "GET /conversations",
  "GET /conversations/:id/messages",
  "POST /conversations/:id/messages",
  "GET /contacts",
  "POST /contacts",
  "PATCH /contacts/:id",
  "POST /templates/:id/send",
  "POST /campaigns",
  "GET /campaigns/:id",
  "GET /events",
];

/** Calls these endpoints as one customer, and compares each cost with its budget. */
async function expectWithinBudgets(isCalled: (name: string) => boolean, listed?: number) {
  stopClock();
  // The clock stands still, so shares do not recover, and later reads would take turns, which cost two more calls.
  vi.spyOn(ReadShares.prototype, "note").mockReturnValue();
  const { world, costOf } = meteredWorld();
  const customer = await world.customer({ key: { rate_limit: { requests: 10_000, window_seconds: 20 } } });
  const calls = callsOf(customer, await populate(customer, listed));
  const rows: Measured[] = [];

  /** Counts the cost before the response, and the cost after it. */
  const measure = async (name: string, call: () => Promise<Answer>) => {
    const answers: Answer[] = [];
    const cost = await costOf(async () => answers.push(await call()));
    const [answer] = answers;
    if (answer === undefined) throw new Error(`${name} gave no answer.`);
    const { trips = 0, statements = 0, rows_read: read = 0, rows_written: written = 0 } = costOfAnswer(answer);
    const after = [cost.trips - trips, cost.read - read, cost.written - written];
    // Changes by management search indexes of random ids, so that the number of read rows varies by one.
    const shownRead = name.includes("/:ws") && !name.startsWith("GET") ? "" : read;
    rows.push({ name, counts: [trips, statements, shownRead, written, ...after, cost.kv, cost.objects, cost.queue] });
    await world.settle();
    return { answer, cost: { trips, read, kv: cost.kv, objects: cost.objects } };
  };

  for (const { base, endpoints } of surfaces) {
    for (const { method, path } of endpoints) {
      const name = `${method.toUpperCase()} ${path}`;
      if (!isCalled(name)) continue;
      const call = calls[name];
      if (call === undefined) throw new Error(`${name} is not measured: give it a call in callsOf.`);
      for (let warming = 1; warming < CALLS; warming++) await call();
      // A conversation's index changes with the time of its last message. The isolate may have to read the key again.
      world.advance(KEPT_MS);
      await customer.call("GET", "/tags?limit=1");
      const { answer, cost } = await measure(name, call);
      expect.soft(answer.status, `${name}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
      for (const [what, most] of Object.entries(budgetOf(name, base === "/api/v1", answer))) {
        expect.soft(new Map(Object.entries(cost)).get(what), `${name}: ${what}`).toBeLessThanOrEqual(most);
      }
    }
  }
  return { world, customer, measure, rows };
}

// Runs first, because the other test's workspace would add rows to some lists.
test(
  "Every endpoint costs as much as endpoint-costs.txt states, and stays within its budget",
  { tags: "long" },
  async () => {
    const { world, customer, measure, rows } = await expectWithinBudgets(() => true);
    world.advance(HELD_MS);
    await measure("a key new to the isolate", () => customer.call("GET", "/conversations?limit=1"));
    const forged = `tdg_${"a".repeat(38)}`;
    await measure("a malformed key", () => world.request("GET", "/api/v1/tags", undefined, { token: "tdg_short" }));
    await measure("a forged key", () => world.request("GET", "/api/v1/tags", undefined, { token: forged }));

    await expect(draw(rows)).toMatchFileSnapshot("./endpoint-costs.txt");
  },
);

test("The most used endpoints stay within their budgets", async () => {
  const { rows } = await expectWithinBudgets((name) => MOST_USED.includes(name), 2);
  expect(rows).toHaveLength(MOST_USED.length);
});
