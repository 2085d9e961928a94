// Sends events to a receiver that fails at random, and kills the service meanwhile. Counts lost, repeated and unordered
// events.
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../client.ts";
import type { Deployed } from "../deployed.ts";
import { BLOCK, createWebhook, getWebhook, makeCustomer, nameContacts } from "./customer.ts";
import type { Attempt, Receiver, SentEvent } from "./receiver.ts";
import { until } from "./waiting.ts";

const KILLS = 3;
const FAILING = 0.1;
/** After two failures, the next retry would wait five minutes. */
const MAX_FAILURES = 2;
/** The restarted process must first find the requests of the killed process, and retries wait. */
const PATIENCE_MS = 180_000;
/** After this many calls, the previous contacts are renamed while their events are being sent. */
const RENAMED_EVERY = 4;

/** After this many tries, a killed service runs again. */
const MAX_TRIES = 300;
const TRY_EVERY_MS = 200;

class Accepted {
  readonly sequences = new Set<number>();
  again = 0;
  outOfOrder = 0;
  private readonly latest = new Map<string, number>();

  add(events: SentEvent[]): void {
    for (const { sequence, object_id: objectId } of events) {
      if (this.sequences.has(sequence)) {
        this.again++;
        continue;
      }
      this.sequences.add(sequence);
      const latest = this.latest.get(objectId) ?? 0;
      if (sequence < latest) this.outOfOrder++;
      this.latest.set(objectId, Math.max(latest, sequence));
    }
  }
}

/** Repeats each call until it returns. A repeated call changes nothing. */
async function makeEvents(client: Client, count: number): Promise<void> {
  for (let call = 0; call < count / BLOCK; call++) {
    const isRenaming = call % RENAMED_EVERY === RENAMED_EVERY - 1;
    const block = isRenaming ? call - 1 : call;
    for (let tries = 1; ; tries++) {
      try {
        await nameContacts(client, block, isRenaming ? "Grace" : "Ada");
        break;
      } catch (error) {
        if (tries === MAX_TRIES) throw error;
        await sleep(TRY_EVERY_MS);
      }
    }
  }
}

export interface Proof {
  /** A client of the workspace whose events are sent. */
  client: Client;
  /** Number of events since the webhook was created. */
  events: number;
  requests: number;
  failures: number;
  kills: number;
  seconds: number;
  lost: number;
  again: number;
  outOfOrder: number;
}

/** Creates events while earlier events are sent. Kills the service after each quarter. */
export async function prove(
  deployed: Deployed,
  receiver: Receiver,
  { count, batch }: { count: number; batch: object | null },
): Promise<Proof> {
  const client = await makeCustomer(deployed);
  const accepted = new Accepted();
  const failuresOf = new Map<string, number>();
  let [requests, failures] = [0, 0];
  const flaky = ({ id, events }: Attempt): number => {
    requests++;
    const before = failuresOf.get(id) ?? 0;
    if (before < MAX_FAILURES && Math.random() < FAILING) {
      failures++;
      failuresOf.set(id, before + 1);
      return 500;
    }
    accepted.add(events);
    return 200;
  };
  const url = receiver.at("/flaky", flaky);
  const { id, sequence } = await createWebhook(client, { url, types: ["contact.*"], batch });
  const startedAt = performance.now();
  const making = makeEvents(client, count);
  let kills = 0;
  while (kills < KILLS) {
    const next = (count * (kills + 1)) / (KILLS + 1);
    const holds = () => accepted.sequences.size >= next;
    if (!(await until(deployed, { holds, withinMs: PATIENCE_MS }))) break;
    await deployed.restart();
    await deployed.runCron();
    kills++;
  }
  await making;
  const isDone = async () => (await getWebhook(client, id)).lag === 0;
  await until(deployed, { holds: isDone, everyMs: 500, withinMs: PATIENCE_MS });
  const seconds = (performance.now() - startedAt) / 1000;
  const end = await getWebhook(client, id);
  const events = end.sequence + end.lag - sequence;
  const all = Array.from({ length: events }, (_, index) => sequence + 1 + index);
  const lost = all.filter((each) => !accepted.sequences.has(each)).length;
  const { again, outOfOrder } = accepted;
  return { client, events, requests, failures, kills, seconds, lost, again, outOfOrder };
}
