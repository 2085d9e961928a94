import { vi } from "vitest";
import type { Channel } from "../../../src/channels/channel.ts";
import { sandbox } from "../../../src/channels/sandbox/sandbox.ts";
import { addPeople, addPeopleWithoutNumbers, campaign, started } from "../campaigns.ts";
import { onShard } from "../storage.ts";
import { type Customer, World } from "../world.ts";
import { Chance, numbersFrom } from "./chance.ts";
import type { CloudStandIn } from "../providers/cloud.ts";
import { pictureCampaign, playCloudBefore } from "./cloud-before.ts";
import { FaultyQueues } from "./faulty-queues.ts";

const MINUTE_MS = 60_000;
const TRANSIENT = 0.05;
/** A campaign may take this much longer than its rate requires. */
const AT_MOST_MS = 60 * MINUTE_MS;

export interface FaultRun {
  seed: number;
  people: number;
  withoutNumber?: number;
  perSecond: number;
  /** The template has an image header, and all messages go through WhatsApp's API. */
  hasPicture?: boolean;
  meanwhile?(customer: Customer): Promise<void>;
}

export interface FaultsMade {
  customer: Customer;
  id: string;
  /** A consumer died before it stored the results of these messages. */
  mayBeUnknown: Set<string>;
  figures: FaultyQueues["figures"] & { transientErrors: number; minutes: number };
  cloud: CloudStandIn | null;
}

/** The provider rejects some calls temporarily. Returns a function that counts them. */
function playRefusals(chance: Chance, send: Channel["send"]): () => number {
  let refused = 0;
  vi.spyOn(sandbox, "send").mockImplementation((connection, message, io) => {
    if (!chance.happens(TRANSIENT, "transient", message.id.slice(-8), message.attempt))
      return send(connection, message, io);
    refused++;
    const error = { code: "provider_unreachable", message: "The network is busy.", providerCode: "busy" } as const;
    return Promise.resolve({ kind: "retry", error });
  });
  return () => refused;
}

async function listUnsettled(customer: Customer, grants: string[]): Promise<string[]> {
  const rows = await onShard(
    customer,
    `SELECT m.id FROM leases l JOIN campaigns p ON p.id = l.campaign_id JOIN messages m
      ON m.id >= p.message_prefix || printf('%08d', l.lo) AND m.id < p.message_prefix || printf('%08d', l.hi)
     WHERE l.settled_at IS NULL AND l.grant_id IN (SELECT value FROM json_each(?1))
     UNION SELECT m.id FROM leases l JOIN messages m ON m.campaign_id = l.campaign_id AND m.claimed_at = l.taken_at
     WHERE l.settled_at IS NULL AND l.retries > 0 AND m.retry_at IS NOT NULL AND m.state = 1
       AND l.grant_id IN (SELECT value FROM json_each(?1))`,
    JSON.stringify(grants),
  );
  return rows.map(({ id }) => String(id));
}

export async function runWithFaults({
  seed,
  people,
  withoutNumber = 0,
  perSecond,
  hasPicture = false,
  meanwhile,
}: FaultRun): Promise<FaultsMade> {
  const chance = new Chance(seed);
  const queues = new FaultyQueues(chance);
  const world = new World({}, queues);
  const channel = hasPicture ? "official" : "unofficial";
  const customer = await world.customer({ channel, key: { rate_limit: { requests: 10_000, window_seconds: 20 } } });
  await customer.manage("PATCH", `/connections/${customer.connectionId}`, { messages_per_second: perSecond });
  await addPeople(customer, people - withoutNumber);
  await addPeopleWithoutNumbers(customer, withoutNumber);
  const overCloud = hasPicture ? playCloudBefore() : null;
  const refused = playRefusals(chance, overCloud?.send ?? sandbox.send.bind(sandbox));
  const order = hasPicture ? await pictureCampaign(customer) : {};
  vi.spyOn(scheduler, "wait").mockResolvedValue();
  vi.spyOn(Math, "random").mockImplementation(numbersFrom(seed));

  // The start is a full minute, so that each run does the same work in the same second.
  const startedAt = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
  world.setTime(startedAt);
  const id = await started(customer, order);
  const mayBeUnknown = new Set<string>();
  const end = startedAt + (people / perSecond) * 1000 + AT_MOST_MS;
  let alarmAt: number | null = null;
  for (let cronAt = startedAt + MINUTE_MS; ;) {
    if (Date.now() >= cronAt) {
      await world.cron();
      cronAt += MINUTE_MS;
      if (queues.messages.length === 0 && (await campaign(customer, id)).status === "completed") break;
    }
    if (alarmAt !== null && alarmAt <= Date.now()) await world.alarms.ringDue();
    await queues.deliverDue(world.env);
    const crashed = queues.takeCrashedGrants();
    if (crashed.length > 0) for (const message of await listUnsettled(customer, crashed)) mayBeUnknown.add(message);
    await meanwhile?.(customer);
    alarmAt = await world.alarms.nextDueAt();
    const next = Math.min(cronAt, queues.nextDueAt() ?? Infinity, alarmAt ?? Infinity);
    if (next > end)
      throw new Error(`The campaign has not come to its end: ${JSON.stringify(await campaign(customer, id))}`);
    world.setTime(Math.max(Date.now(), next));
  }
  const minutes = (Date.now() - startedAt) / MINUTE_MS;
  return {
    customer,
    id,
    mayBeUnknown,
    figures: { ...queues.figures, transientErrors: refused(), minutes },
    cloud: overCloud?.cloud ?? null,
  };
}
