import { TurnQueue, type TurnRequest } from "../../src/features/scans/scans.turn-queue.ts";

export const WAIT_MS = 20_000;

export const request = (id: string, differences: Partial<TurnRequest> = {}): TurnRequest => ({
  id,
  owner: "ada",
  waitMs: WAIT_MS,
  question: null,
  ...differences,
});

export const decisions = (queue: TurnQueue, now: number) =>
  Object.fromEntries(Array.from(queue.decide(now), ([id, { outcome }]) => [id, outcome]));

export function queueOf(...requests: TurnRequest[]): TurnQueue {
  const queue = new TurnQueue();
  for (const each of requests) queue.add(each, 0);
  return queue;
}
