// Measures the Worker's memory during a large upload and download. The memory of the bucket does not count, because it
// is in another service.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { makeClients } from "../client.ts";
import { type Deployed, startDeployed } from "../deployed.ts";
import { OVER, type Table } from "../table.ts";

const MEGABYTE = 1_048_576;
const FILE_BYTES = 50 * MEGABYTE;
const PIECE = 65_536;
/** The number of bytes between two measurements. Measurements by time would depend on the machine's speed. */
const LOOK_EVERY = 2 * MEGABYTE;
/** In MB. */
const MAX_IN_FLIGHT = 4;
/** A file of unknown length is stored in parts of 5 MB, one part at a time. R2 accepts no smaller parts. */
const MAX_IN_PARTS = MAX_IN_FLIGHT + 5;

const uploaded = z.object({ media: z.object({ id: z.string(), bytes: z.literal(FILE_BYTES) }) });

/** The largest memory during `work` minus the memory before it, in MB. `work` calls `look` to measure. */
async function mostAlive(
  live: () => Promise<number>,
  work: (look: () => Promise<void>) => Promise<void>,
): Promise<number> {
  const before = await live();
  let most = before;
  await work(async () => {
    most = Math.max(most, await live());
  });
  return most - before;
}

/** A PDF, recognized by its first bytes. */
const head = Buffer.alloc(PIECE);
head.write("%PDF-1.7\n");
const piece = Buffer.alloc(PIECE, 7);

async function writeFile(sending: ClientRequest, look: () => Promise<void>): Promise<string> {
  const answering = once(sending, "response");
  for (let at = 0; at < FILE_BYTES; at += PIECE) {
    if (!sending.write(at === 0 ? head : piece)) await once(sending, "drain");
    if (at % LOOK_EVERY === 0) await look();
  }
  sending.end();
  const [answer]: IncomingMessage[] = await answering;
  let text = "";
  for await (const chunk of answer ?? []) text += String(chunk);
  return text;
}

async function readFile(asking: ClientRequest, look: () => Promise<void>): Promise<number> {
  asking.end();
  const [answer]: IncomingMessage[] = await once(asking, "response");
  let bytes = 0;
  let looked = 0;
  for await (const chunk of answer ?? []) {
    bytes += Buffer.from(chunk).length;
    if (bytes - looked < LOOK_EVERY) continue;
    looked = bytes;
    await look();
  }
  return bytes;
}

async function measure(deployed: Deployed): Promise<Table> {
  const [client] = await makeClients(deployed, { connections: 1, perSecond: 1 });
  if (client === undefined) throw new Error("There is no client.");
  const type = { "Content-Type": "application/pdf" };
  const announced = { ...type, "Content-Length": String(FILE_BYTES) };
  const live = () => deployed.liveMemory("product");
  let id = "";
  const upload = (headers: Record<string, string>) =>
    mostAlive(live, async (look) => {
      const answer = await writeFile(client.open("POST", "/api/v1/media", headers), look);
      id = uploaded.parse(JSON.parse(answer)).media.id;
    });
  const download = () =>
    mostAlive(live, async (look) => {
      const bytes = await readFile(client.open("GET", `/api/v1/media/${id}/content`), look);
      if (bytes !== FILE_BYTES) throw new Error(`${bytes} bytes came.`);
    });
  const hold = () =>
    mostAlive(
      () => deployed.liveMemory("floor"),
      async (look) => {
        await writeFile(request(new URL("/hold", deployed.floor), { method: "POST", headers: announced }), look);
      },
    );
  // The first call also loads code, which must not count.
  await upload(announced);
  const told = (what: string, mb: number, budget: string, isMet: boolean | null) => [
    what,
    mb.toFixed(1),
    budget,
    isMet === null ? "" : isMet ? "ok" : OVER,
  ];
  const [up, down, inParts, held] = [await upload(announced), await download(), await upload(type), await hold()];
  return {
    title:
      "A file of 50 MB: the most MB alive in the Worker beyond those before (JavaScript's heap after garbage collection, and buffers)",
    columns: ["what", "MB", "budget", ""],
    rows: [
      told("up, its length announced", up, `≤ ${MAX_IN_FLIGHT}`, up <= MAX_IN_FLIGHT),
      told("up, its length unknown", inParts, `≤ ${MAX_IN_PARTS}`, inParts <= MAX_IN_PARTS),
      told("down", down, `≤ ${MAX_IN_FLIGHT}`, down <= MAX_IN_FLIGHT),
      told("in a Worker that holds all of it, to compare", held, "", null),
    ],
  };
}

export async function measureMedia(): Promise<Table> {
  const directory = mkdtempSync(join(tmpdir(), "tidings-bench-"));
  try {
    const deployed = await startDeployed(directory);
    try {
      return await measure(deployed);
    } finally {
      await deployed.stop();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
