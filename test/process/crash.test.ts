import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { z } from "zod";
import { type Account, eventually, makeStateDir, type Service, startService } from "./service.ts";

const MESSAGES = 1000;
const CLIENTS = 20;
/** A claim that nobody settled becomes `unknown` after 2 minutes; some for the cron and a slow machine. */
const SETTLED_WITHIN_MS = 180_000;

const accepted = z.object({ message_id: z.string() });
const shown = z.object({ message: z.object({ delivery: z.string() }) });
const page = z.object({
  deliveries: z.array(z.object({ message_id: z.string(), to: z.string() })),
  next_cursor: z.string().nullable(),
});

/** No two alike, and none whose ending the sandbox treats specially. */
const numberOf = (index: number) => `+1415${2_000_008 + index * 10}`;

/** Sends until answered, always with the same key: a lost answer must not become a second message. */
async function send(service: Service, key: string, index: number): Promise<string> {
  const body = { to: numberOf(index), text: `Message ${index}` };
  const headers = { "Idempotency-Key": `message-${index}` };
  for (;;) {
    const answer = await service
      .request("POST", "/api/v1/messages", key, body, headers)
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => null);
    if (answer?.status === 202) return accepted.parse(JSON.parse(answer.text)).message_id;
    if (answer !== null && answer.status !== 503) throw new Error(`Message ${index}: ${answer.status} ${answer.text}`);
    await sleep(100);
  }
}

async function deliveryOf(service: Service, key: string, id: string): Promise<string> {
  const response = await service.request("GET", `/api/v1/messages/${id}`, key);
  return shown.parse(await response.json()).message.delivery;
}

async function outboxOf(service: Service, { workspaceId, connectionId }: Account) {
  const deliveries: { message_id: string; to: string }[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const query = `limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`;
    const next = page.parse(await service.manage("GET", `/${workspaceId}/connections/${connectionId}/outbox?${query}`));
    deliveries.push(...next.deliveries);
    cursor = next.next_cursor;
  }
  return deliveries;
}

it(
  "Of 1,000 messages none is lost or sent twice when the service is killed in the middle",
  { timeout: 280_000 },
  async () => {
    const stateDir = makeStateDir();
    const first = await startService(stateDir);
    const account = await first.account(10_000, 20);
    const { key } = account;

    const ids = new Map<number, string>();
    let next = 0;
    const client = async () => {
      for (let index = next++; index < MESSAGES; index = next++) ids.set(index, await send(first, key, index));
    };
    const clients = Promise.all(Array.from({ length: CLIENTS }, client));
    await eventually("The middle", 60_000, () => (ids.size >= MESSAGES / 2 ? true : null));
    first.crash();
    const second = await startService(stateDir, { port: first.port });
    await clients;

    // Whatever a message was doing when the process died, it comes to an end.
    const deliveries = new Map<string, string>();
    let cronAt = 0;
    await eventually("The end of every message", SETTLED_WITHIN_MS, async () => {
      if (Date.now() > cronAt + 5000) {
        await second.cron();
        cronAt = Date.now();
      }
      const open = [...ids.values()].filter((id) => (deliveries.get(id) ?? "queued") === "queued");
      for (const id of open.slice(0, 100)) deliveries.set(id, await deliveryOf(second, key, id));
      return open.length === 0 ? true : null;
    });

    const handed = await outboxOf(second, account);
    const timesHanded = (id: string) => handed.filter((delivery) => delivery.message_id === id).length;
    const all = [...ids.values()].map((id) => ({ id, delivery: deliveries.get(id), times: timesHanded(id) }));
    const unknown = all.filter(({ delivery }) => delivery === "unknown");

    expect(new Set(ids.values()).size).toBe(MESSAGES);
    expect(all.filter(({ delivery, times }) => delivery !== "unknown" && times !== 1)).toEqual([]);
    expect(unknown.filter(({ times }) => times > 1)).toEqual([]);
    expect(handed.filter(({ message_id }) => !deliveries.has(message_id))).toEqual([]);
    expect(new Set(handed.map(({ to }) => to)).size).toBe(handed.length);
    expect(unknown.length).toBeLessThan(100);
  },
);
