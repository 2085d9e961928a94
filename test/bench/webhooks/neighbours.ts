// Measures the endpoints of workspaces twice: alone, and next to an endpoint that never responds.
import type { Client } from "../client.ts";
import type { Deployed } from "../deployed.ts";
import { BLOCK, createTag, createWebhook, makeCustomer, nameContacts, tellWebhook } from "./customer.ts";
import type { Receiver } from "./receiver.ts";
import { until } from "./waiting.ts";

const ENDPOINTS = 200;
/** Endpoints that receive an event at the same time. */
const TOGETHER = 10;
const TURNS = 2;
const PATIENCE_MS = 60_000;

/** Sends an event to each endpoint. Returns the times in ms from the response of the call to the first attempt. */
type Round = (name: string) => Promise<number[]>;

async function makeNeighbours(deployed: Deployed, receiver: Receiver): Promise<Round> {
  const arrivedAt = new Map<string, number>();
  const url = receiver.at("/neighbours", ({ at, events }) => {
    for (const { object_id: objectId } of events) arrivedAt.set(objectId, at);
    return 200;
  });
  const clients: Client[] = [];
  for (let index = 0; index < ENDPOINTS; index++) {
    const client = await makeCustomer(deployed);
    await createWebhook(client, { url, types: ["tag.created"] });
    clients.push(client);
  }
  return async (name) => {
    const times: number[] = [];
    for (let first = 0; first < ENDPOINTS; first += TOGETHER) {
      const answered = await Promise.all(
        clients.slice(first, first + TOGETHER).map(async (client) => {
          const id = await createTag(client, name);
          return { id, at: performance.now() };
        }),
      );
      const holds = () => answered.every(({ id }) => arrivedAt.has(id));
      await until(deployed, { holds, withinMs: PATIENCE_MS });
      times.push(...answered.map(({ id, at }) => Math.max(0, (arrivedAt.get(id) ?? Infinity) - at)));
    }
    return times;
  };
}

/** Creates an endpoint that does not respond until the test releases it. */
async function makeHanging(deployed: Deployed, receiver: Receiver) {
  const client = await makeCustomer(deployed);
  let attempts = 0;
  const open = new Set<(status: number) => void>();
  const url = receiver.at("/hanging", () => {
    attempts++;
    const { promise, resolve } = Promise.withResolvers<number>();
    open.add(resolve);
    return promise;
  });
  const { id } = await createWebhook(client, { url, types: ["contact.*"] });
  await tellWebhook(client, id, "pause");
  await nameContacts(client, 0, "Ada");
  return {
    attempts: () => attempts,
    async hang() {
      await tellWebhook(client, id, "enable");
      await until(deployed, { holds: () => open.size > 0, withinMs: PATIENCE_MS });
    },
    async rest() {
      await tellWebhook(client, id, "pause");
      for (const answer of open) answer(500);
      open.clear();
    },
  };
}

export interface Neighbours {
  endpoints: number;
  /** The number of events that wait for the hanging endpoint, and the number of attempts that it received. */
  waiting: number;
  hanging: number;
  /** Times in ms, ascending. */
  alone: number[];
  beside: number[];
}

export async function measureNeighbours(deployed: Deployed, receiver: Receiver): Promise<Neighbours> {
  const round = await makeNeighbours(deployed, receiver);
  const hanging = await makeHanging(deployed, receiver);
  // The first round warms up.
  await round("Warm");
  const [alone, beside]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn++) {
    alone.push(...(await round(`Alone ${turn}`)));
    await hanging.hang();
    beside.push(...(await round(`Beside ${turn}`)));
    await hanging.rest();
  }
  const sorted = (times: number[]) => times.toSorted((a, b) => a - b);
  const [waiting, attempts] = [BLOCK, hanging.attempts()];
  return { endpoints: ENDPOINTS, waiting, hanging: attempts, alone: sorted(alone), beside: sorted(beside) };
}
