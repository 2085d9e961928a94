import { beforeEach, expect, it } from "vitest";
import { countEvents } from "../../../src/features/statistics/count-events.ts";
import { DAY_MS } from "../../../src/shared/time/durations.ts";
import { stopClock } from "../../support/clock.ts";
import { contextOf } from "../../support/context.ts";
import { strangers } from "../../support/provider-events.ts";
import { readLog } from "../../support/read-log.ts";
import { type Customer, World } from "../../support/world.ts";

beforeEach(stopClock);

/** Returns the numbers of opened and done conversations in the statistics. */
async function counted(customer: Customer): Promise<number[]> {
  const { days } = await countEvents(await contextOf(customer), { timeZone: "UTC", days: 2, pages: 9 });
  return ["conversation.opened", "conversation.done"].map((name) =>
    [...days.values()].reduce((sum, counts) => sum + (counts.get(name) ?? 0), 0),
  );
}

const reopened = ["done", "open"];

it.each([
  ["open", "open", "updated", {}],
  ["done", "done", "updated", {}],
  ["open", "done", "updated", {}],
  ["open", "snoozed", "updated", {}],
  ["snoozed", "open", "updated", { snoozed_until: ["until", null] }],
  ["snoozed", "done", "updated", {}],
  ["done", "open", "opened", { status: reopened }],
  ["done", "snoozed", "opened", { status: reopened, snoozed_until: [null, "until"] }],
])(
  "Merging a conversation that is %s with a conversation that is %s logs conversation.%s",
  async (kept, gone, verb, changes) => {
    const customer = await new World().customer();
    const { numbered, nameless, earlier, later } = await strangers(customer);
    const until = new Date(Date.now() + DAY_MS).toISOString();
    const make = async (id: string, status: string) => {
      const body = status === "snoozed" ? { snoozed_until: until } : { status };
      expect((await customer.call("PATCH", `/conversations/${id}`, body)).status).toBe(200);
    };
    await make(earlier.id, kept);
    await make(later.id, gone);
    const [opened = 0, done = 0] = await counted(customer);
    const logged = (await readLog(customer)).length;

    expect((await customer.call("POST", `/contacts/${numbered.id}/merge`, { from: nameless.id })).status).toBe(200);

    const told = (await readLog(customer)).slice(logged).filter(({ type }) => type.startsWith("conversation."));
    expect(told).toMatchObject([{ type: `conversation.${verb}`, id: earlier.id }]);
    const asTold = JSON.stringify(told[0]?.changes).replaceAll(until, "until");
    expect(JSON.parse(asTold)).toEqual({ id: [later.id, earlier.id], unread_count: [1, 2], ...changes });
    expect(await counted(customer)).toEqual([opened + (verb === "opened" ? 1 : 0), done]);
  },
);
