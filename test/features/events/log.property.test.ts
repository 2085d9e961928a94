import fc from "fast-check";
import { afterEach, beforeEach, it, vi } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { carried } from "../../support/provider-events.ts";
import { acts, fields } from "../../support/random-work/acts.ts";
import { Picker, type Scene } from "../../support/random-work/scene.ts";
import { Accidents, accidentalWorld } from "../../support/random-work/accidents.ts";
import { expectLogToTell } from "../../support/rebuild.ts";
import { expectLogToTellContacts } from "../../support/rebuild-contacts.ts";
import { createTemplate } from "../../support/templates.ts";
import { skipWaits } from "../../support/waits.ts";
import type { World } from "../../support/world.ts";

const MINUTE_MS = 60_000;
/** After this time, all work is done: claims have expired, retries are over, and scheduled campaigns have started. */
const MINUTES_TO_END = 8;

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

/** How often each action happens. Other actions have weight 1. */
const weights = new Map([
  ["inbound", 6],
  ["upsert", 4],
  ["send", 4],
  ["status", 4],
  ["patch", 3],
  ["campaign", 2],
  ["campaignVerb", 2],
  ["identity", 2],
  ["revise", 2],
]);

const act = fc.oneof(
  ...Object.entries(acts).map(([name, run]) => ({
    weight: weights.get(name) ?? 1,
    arbitrary: fc.constant(Object.assign(run, { toString: () => name })),
  })),
);

/** Concurrent actions, in one workspace or in both, and the time since the previous actions. */
const moment = fc.record({
  work: fc.array(fc.record({ act, choices: fc.nat(), isOther: fc.boolean(), times: fc.constantFrom(1, 1, 1, 2) }), {
    minLength: 1,
    maxLength: 3,
  }),
  afterMs: fc.constantFrom(0, 300, 1500, 20_000),
});

async function newScene(world: World, accidents: Accidents): Promise<Scene> {
  const customer = await world.customer({
    plan: "scale",
    key: { rate_limit: { requests: 10_000, window_seconds: 60 } },
  });
  for (const field of fields) await customer.call("POST", "/custom-fields", field);
  // Enough people for a campaign's automatic pause.
  const contacts = Array.from({ length: 12 }, (_, n) => ({ phone: `+1415666${1000 + n}`, tags: ["VIP"] }));
  await customer.call("POST", "/contacts/batch", { contacts });
  return { customer, templateId: await createTemplate(customer, "Hello {{name}}"), accidents };
}

/** Lets this number of minutes pass and does all due work. */
async function pass(world: World, minutes: number, accidents: Accidents): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    await world.settle({ withinMs: MINUTE_MS });
    world.advance(MINUTE_MS);
    // The next run of the cron repeats the work of a failed run.
    await world.cron().catch((error: unknown) => {
      if (accidents.isCalm) throw error;
    });
  }
}

async function expectLogToTellAll(numRuns: number, minLength: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.array(moment, { minLength, maxLength: 2 * minLength }), async (seed, moments) => {
      vi.spyOn(console, "error").mockReturnValue();
      skipWaits();
      const accidents = new Accidents(seed);
      const world = accidentalWorld(accidents);
      // Workspaces are assigned to shards in turn, so the first and the third share a shard.
      const [scene, , other] = [
        await newScene(world, accidents),
        await world.customer(),
        await newScene(world, accidents),
      ];
      accidents.playProvider(async (connectionId, event) => {
        const { customer } = scene.customer.connectionId === connectionId ? scene : other;
        await world.env.EVENTS_QUEUE.send(await carried(customer, event));
      });
      const compare = async () => {
        accidents.isCalm = true;
        for (const { customer } of [scene, other]) {
          await expectLogToTell(customer);
          await expectLogToTellContacts(customer);
        }
      };
      for (const [index, { work, afterMs }] of moments.entries()) {
        accidents.isCalm = false;
        world.advance(afterMs);
        const all = work.flatMap(({ act: run, choices, isOther, times }) =>
          Array.from({ length: times }, () => run(isOther ? other : scene, new Picker(choices))),
        );
        await Promise.all(all);
        await world.alarms.ringDue();
        await world.queues.deliverDue(world.env);
        if (index % 10 === 9) {
          await pass(world, 1, accidents);
          await compare();
        }
      }
      accidents.isCalm = true;
      accidents.isProviderDown = false;
      await pass(world, MINUTES_TO_END, accidents);
      await compare();
      vi.restoreAllMocks();
    }),
    { numRuns, endOnFailure: true },
  );
}

it("The log contains all changes of contacts, messages, conversations and campaigns once and in order despite failures", () =>
  expectLogToTellAll(1, 6));

it(
  "The log contains all changes of contacts, messages, conversations and campaigns once and in order over a long time",
  { tags: "long" },
  () => expectLogToTellAll(3, 25),
);
