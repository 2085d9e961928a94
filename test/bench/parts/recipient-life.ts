// Counts the cost of a recipient, from the start of the campaign until the message is read.
import { expect, vi } from "vitest";
import type { ChannelEvent } from "../../../src/channels/channel-events.ts";
import { sandbox } from "../../../src/channels/sandbox/sandbox.ts";
import { addPeople, campaign, campaignOf } from "../../support/campaigns.ts";
import { type Cost, meteredWorld } from "../../support/metered-world.ts";
import { type HeldMessage, HeldQueues } from "../../support/queues.ts";
import type { Customer } from "../../support/world.ts";

/** Rows written. They include 0.01 to 0.05 rows of events per recipient and batch. */
export const MAX_WRITTEN = { "echoes our id": 5.2, "knows its own id only": 6.2 } as const;
/** A queue message is written, read and deleted. */
const OPERATIONS = 3;

export interface Case {
  provider: keyof typeof MAX_WRITTEN;
  people: number;
  perSecond: number;
  /** Number of queue messages with statuses per delivery. */
  together: number;
}

/** Counts queue messages. Delivers `together` messages with statuses at a time. */
class CountingQueues extends HeldQueues {
  accepted = 0;

  constructor(private readonly statusesADelivery: number) {
    super();
  }

  protected override accept(message: HeldMessage): void {
    this.accepted++;
    super.accept(message);
  }

  protected override batchSizeOf(queue: string): number {
    return queue === "tidings-statuses" ? this.statusesADelivery : super.batchSizeOf(queue);
  }
}

const nameless = (event: ChannelEvent): ChannelEvent =>
  event.type === "status" ? { ...event, messageId: null, providerKey: event.providerMessageId } : event;

/** Makes the sandbox report statuses by its own ids, as some providers do. */
function forgetOurIds(): void {
  const send = sandbox.send.bind(sandbox);
  vi.spyOn(sandbox, "send").mockImplementation(async (connection, message, io) => {
    const hand: typeof io.phoneNetwork.hand = (to, sent, reports) =>
      io.phoneNetwork.hand(
        to,
        sent,
        reports.map(({ afterMs, event }) => ({ afterMs, event: nameless(event) })),
      );
    const outcome = await send(connection, message, { ...io, phoneNetwork: { hand } });
    return outcome.kind === "accepted" ? { ...outcome, providerKey: outcome.providerMessageId } : outcome;
  });
}

export type LifeCost = Pick<Cost, "trips" | "statements" | "read" | "written" | "objects"> & {
  queueOperations: number;
};

/** The average cost of a recipient, from the start until the message is read. `prepare` runs before the measurement. */
export async function costOfLife(
  { provider, people, perSecond, together }: Case,
  prepare: (customer: Customer) => Promise<unknown> = async () => undefined,
): Promise<LifeCost> {
  if (provider === "knows its own id only") forgetOurIds();
  const queues = new CountingQueues(together);
  const { world, costOf } = meteredWorld(queues);
  const customer = await world.customer();
  await customer.manage("PATCH", `/connections/${customer.connectionId}`, { messages_per_second: perSecond });
  await addPeople(customer, people);
  const order = await campaignOf(customer);
  await prepare(customer);
  const before = { messages: queues.accepted, alarms: world.alarms.rung };
  let id = "";
  const cost = await costOf(async () => {
    id = (await customer.call("POST", "/campaigns", order)).body.campaign_id;
    await world.settle();
  });
  vi.restoreAllMocks();
  expect((await campaign(customer, id)).counts).toMatchObject({ read: people });
  const each = (count: number) => count / people;
  return {
    trips: each(cost.trips),
    statements: each(cost.statements),
    read: each(cost.read),
    written: each(cost.written),
    objects: each(cost.objects + world.alarms.rung - before.alarms),
    queueOperations: each(OPERATIONS * (queues.accepted - before.messages)),
  };
}
