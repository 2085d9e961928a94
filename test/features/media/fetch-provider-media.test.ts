import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ProviderError, MediaGone } from "../../../src/channels/channel.ts";
import type { ProviderMedia } from "../../../src/channels/content.ts";
import { sandbox } from "../../../src/channels/sandbox/sandbox.ts";
import { transact } from "../../../src/db/statement.ts";
import { insertPendingMedia } from "../../../src/features/media/media.sql.ts";
import { enqueueMediaFetch } from "../../../src/features/media/store/queue-media.ts";
import { stopClock } from "../../support/clock.ts";
import { contextOf } from "../../support/context.ts";
import { fileOf, heads, png, readFile, sha256Of, storedKeys } from "../../support/media.ts";
import { onShard } from "../../support/storage.ts";
import { type Customer, World } from "../../support/world.ts";
import { soon } from "../../support/soon.ts";

const world = new World();
let customer: Customer;

beforeEach(async () => {
  stopClock();
  vi.spyOn(console, "error").mockReturnValue();
  customer = await world.customer();
});

const shown = async (id: string) => (await customer.call("GET", `/media/${id}`)).body.media;
const settle = () => world.settle({ withinMs: 60 * 60_000 });

const inbound: ProviderMedia = { id: "1234", url: null, mimeType: "image/png", filename: "a.png", sha256: null };

async function receiveFile(media: ProviderMedia = inbound): Promise<string> {
  const ctx = await contextOf(customer);
  const id = ctx.newId("med");
  const source = { connectionId: customer.connectionId, media };
  const pending = { id, source, messageType: null, mimeType: inbound.mimeType, filename: inbound.filename };
  await transact(ctx.db, { media: insertPendingMedia(ctx, pending, sql`TRUE`) });
  await enqueueMediaFetch(ctx, [{ mediaId: id, thread: { contactSeq: 7, connectionId: customer.connectionId } }]);
  return id;
}

const provide = (fetchMedia: NonNullable<typeof sandbox.fetchMedia>) =>
  vi.spyOn(sandbox, "fetchMedia").mockReset().mockImplementation(fetchMedia);

const fetched = (bytes: Uint8Array, mimeType: string | null = "image/png") => ({
  body: new Blob([bytes]).stream(),
  mimeType,
  bytes: bytes.length,
});

describe("Received files", () => {
  it("A received file is fetched through its connection, and then the messages that wait for the file are queued", async () => {
    const fetching = provide(() => Promise.resolve(fetched(png())));
    const id = await receiveFile();
    await world.queues.deliverDue(world.env);
    expect(await shown(id)).toMatchObject({ status: "stored", filename: "a.png", mime_type: "image/png" });
    expect(fetching.mock.calls[0]?.[1]).toEqual(inbound);
    expect(world.queues.messages).toMatchObject([{ queue: "tidings-direct", body: { contactSeq: 7 } }]);
  });

  it("A received file is stored with the type of its bytes, even if the provider declares another type", async () => {
    for (const [bytes, type, kept] of [
      [fileOf("<html>", 6), "image/png", "text/html"],
      [fileOf("\0\x01", 2), "image/png", "application/octet-stream"],
      [fileOf(heads["audio/ogg"]), "audio/ogg; codecs=opus", "audio/ogg"],
    ] as const) {
      provide(() => Promise.resolve(fetched(bytes, type)));
      const id = await receiveFile();
      await settle();
      expect(await shown(id)).toMatchObject({ status: "stored", mime_type: kept });
    }
  });

  it("Fetching a received file is retried with growing delays for seven days, and then fails with the provider's reason", async () => {
    const times: number[] = [];
    const start = Date.now();
    provide(() => {
      times.push(Date.now() - start);
      return Promise.reject(new ProviderError("The file is not there yet."));
    });
    const id = await receiveFile();
    await world.settle({ withinMs: 9 * 86_400_000 });
    expect(await shown(id)).toMatchObject({ status: "failed", reason: "The file is not there yet." });
    expect(times.slice(0, 4).map((ms) => Math.round(ms / 1000))).toEqual([0, 5, 25, 105]);
    expect(times.length).toBeLessThan(50);
    expect(times.at(-1)).toBeGreaterThan(6.5 * 86_400_000);
    expect(times.at(-1)).toBeLessThan(7 * 86_400_000);
  });

  it("A received file fails immediately if the provider no longer has it, and the messages that wait for the file are queued", async () => {
    const fetching = provide(() => Promise.reject(new MediaGone("404")));
    const id = await receiveFile();
    await world.queues.deliverDue(world.env);
    expect(await shown(id)).toMatchObject({ status: "failed", reason: "The provider no longer has the file." });
    expect(world.queues.messages).toMatchObject([{ queue: "tidings-direct", body: { contactSeq: 7 } }]);
    await world.settle({ withinMs: 9 * 86_400_000 });
    expect(fetching).toHaveBeenCalledTimes(1);
  });

  it("A received file is stored only if its bytes match the announced hash", async () => {
    const sha256 = await sha256Of(png(3000));
    const wrong = fileOf(heads["image/png"], 3001);
    const answers = [() => fetched(wrong), () => ({ ...fetched(wrong), bytes: null }), () => fetched(png(3000))];
    const fetching = provide(() => Promise.resolve((answers.shift() ?? answers[0])?.() ?? fetched(wrong)));
    const id = await receiveFile({ ...inbound, sha256 });
    await world.queues.deliverDue(world.env);
    expect(await shown(id)).toMatchObject({ status: "pending", bytes: null });
    expect(await storedKeys(customer)).toEqual([]);
    await settle();
    expect(fetching).toHaveBeenCalledTimes(3);
    expect(await shown(id)).toMatchObject({ status: "stored", sha256 });
    expect((await readFile(customer, id)).bytes).toEqual(png(3000));
  });

  it("A received file fails without stored bytes if its bytes repeatedly differ from the announced file", async () => {
    const sha256 = await sha256Of(png(3000));
    const fetching = provide(() => Promise.resolve(fetched(fileOf(heads["image/png"], 3001))));
    const id = await receiveFile({ ...inbound, sha256 });
    await world.settle({ withinMs: 9 * 86_400_000 });
    expect(fetching).toHaveBeenCalledTimes(5);
    expect(await shown(id)).toMatchObject({
      status: "failed",
      sha256: null,
      reason: "The file's bytes differ from the checksum that the provider announced.",
    });
    expect(await storedKeys(customer)).toEqual([]);
    expect((await readFile(customer, id)).status).toBe(404);
  });

  it("A received file fails if its connection is deleted", async () => {
    provide(() => Promise.resolve(fetched(png())));
    const id = await receiveFile();
    await onShard(customer, "UPDATE connections SET deleted_at = 1 WHERE id = ?", customer.connectionId);
    await settle();
    expect(await shown(id)).toMatchObject({ status: "failed", reason: expect.stringContaining("connection") });
  });

  it("A received file is fetched again if the process of the first fetch died", async () => {
    provide(() => new Promise(() => {}));
    const id = await receiveFile();
    void world.queues.deliverDue(world.env);
    await soon(async () => {
      const [row] = await onShard(customer, "SELECT attempts FROM media WHERE id = ?", id);
      expect(row?.attempts).toBe(1);
    });
    provide(() => Promise.resolve(fetched(png())));
    world.advance(8 * 60_000);
    await world.cron();
    await settle();
    expect(await shown(id)).toMatchObject({ status: "stored" });
  });
});
