import { beforeEach, describe, expect, it, vi } from "vitest";
import { MediaUnavailable } from "../../../src/channels/channel.ts";
import { createMediaLibrary } from "../../../src/features/media/open/open-media.ts";
import { stopClock } from "../../support/clock.ts";
import { contextOf } from "../../support/context.ts";
import { fileOf, heads, png, readBytes, readFile, sha256Of, storedKeys, storeFile } from "../../support/media.ts";
import { override } from "../../support/override.ts";
import { onShard } from "../../support/storage.ts";
import { type Customer, World } from "../../support/world.ts";

const world = new World();
let customer: Customer;

beforeEach(async () => {
  stopClock();
  customer = await world.customer();
});

const DAY = 86_400_000;

describe("File contents", () => {
  it("A file's content has headers that prevent a browser from running the file", async () => {
    const file = await storeFile(customer, png(), "image/png", "?filename=Gr%C3%BC%C3%9Fe%20%22a%22.png");
    const { status, headers } = await readFile(customer, file.id);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": "1000",
      "content-disposition": `inline; filename="Gr__e _a_.png"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%22a%22.png`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
      "accept-ranges": "bytes",
      etag: `"${await sha256Of(png())}"`,
    });
  });

  it.each([
    ["image/gif", heads["image/gif"], "inline"],
    ["audio/ogg", heads["audio/ogg"], "inline"],
    ["text/html", "<html>", "attachment"],
    ["image/svg+xml", "<svg>", "attachment"],
    ["application/pdf", heads["application/pdf"], "attachment"],
    ["text/plain", "Hello", "attachment"],
  ])("The type of a file decides whether a browser displays or saves it: %s", async (type, head, kind) => {
    const file = await storeFile(customer, fileOf(head, head.length), type);
    const { headers } = await readFile(customer, file.id);
    expect(headers.get("Content-Type")).toBe(type);
    expect(headers.get("Content-Disposition")).toContain(`${kind}; filename="${file.id}"`);
  });

  it.each([
    ["bytes=0-9", 206, "bytes 0-9/1000", 10],
    ["bytes=990-", 206, "bytes 990-999/1000", 10],
    ["bytes=-1", 206, "bytes 999-999/1000", 1],
    ["bytes=500-5000", 206, "bytes 500-999/1000", 500],
    ["bytes=500-99999999999999999999", 206, "bytes 500-999/1000", 500],
    ["bytes=-5000", 206, "bytes 0-999/1000", 1000],
    ["bytes=0-1,3-4", 200, null, 1000],
    ["bytes=9-1", 200, null, 1000],
    ["lines=1-2", 200, null, 1000],
  ])(
    "A file's content is returned in part for one valid range, and otherwise completely: %s",
    async (range, status, contentRange, length) => {
      const bytes = png().map((byte, index) => (index < 16 ? byte : index % 251));
      const file = await storeFile(customer, bytes);
      const part = await readFile(customer, file.id, { Range: range });
      expect(part.status).toBe(status);
      expect(part.headers.get("Content-Range")).toBe(contentRange);
      expect(part.headers.get("Content-Length")).toBe(String(length));
      const from = contentRange === null ? 0 : Number(/\d+/.exec(contentRange)?.[0]);
      expect(part.bytes).toEqual(bytes.slice(from, from + length));
    },
  );

  it("A range beyond a file's content returns 416 with the file's size", async () => {
    const file = await storeFile(customer);
    for (const range of ["bytes=1000-", "bytes=-0"]) {
      const { status, headers } = await readFile(customer, file.id, { Range: range });
      expect([status, headers.get("Content-Range")]).toEqual([416, "bytes */1000"]);
    }
    const answer = await customer.call("GET", `/media/${file.id}/content`, undefined, {
      headers: { Range: "bytes=1000-" },
    });
    expect(answer.body.error).toMatchObject({ code: "range_not_satisfiable", details: { bytes: 1000 } });
  });

  it("A caller that already has the file receives 304, and a range request for another version returns the whole file", async () => {
    const file = await storeFile(customer);
    const etag = `"${file.sha256}"`;
    for (const sent of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const { status, bytes } = await readFile(customer, file.id, { "If-None-Match": sent });
      expect([status, bytes.length]).toEqual([304, 0]);
    }
    expect(await readFile(customer, file.id, { "If-None-Match": '"x"' })).toMatchObject({ status: 200 });
    const range = (ifRange: string) => readFile(customer, file.id, { Range: "bytes=0-1", "If-Range": ifRange });
    expect([(await range(etag)).status, (await range('"x"')).status]).toEqual([206, 200]);
  });

  it("HEAD does not read a file's content", async () => {
    const get = vi.fn<(key: string) => Promise<R2ObjectBody | null>>((key) => world.env.MEDIA.get(key));
    const its = await new World({ MEDIA: override(world.env.MEDIA, { get }) }).customer();
    const file = await storeFile(its);
    const { status, headers, bytes } = await readFile(its, file.id, {}, "HEAD");
    expect([status, headers.get("Content-Type"), bytes.length]).toEqual([200, "image/png", 0]);
    expect(get).not.toHaveBeenCalled();
    await readFile(its, file.id);
    expect(get).toHaveBeenCalledOnce();
  });

  it("Reading a file's content costs one round trip", async () => {
    const file = await storeFile(customer);
    const { headers } = await readFile(customer, file.id);
    expect(headers.get("Server-Timing")).toMatch(/d1;desc="trips=1 /);
  });
});

describe("Console", () => {
  it("The console returns a file only to members of its workspace, with the API's headers", async () => {
    const file = await storeFile(customer);
    const path = `/console/media/${file.id}`;
    const member = await customer.member("agent");
    const { status, headers, bytes } = await member.bytes(path);
    expect([status, bytes]).toEqual([200, png()]);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "image/png",
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": "private, max-age=3600",
    });
    expect(await member.bytes(path, { Range: "bytes=0-0" })).toMatchObject({ status: 206 });
    const stranger = await (await world.customer()).member("owner");
    expect(await stranger.bytes(path)).toMatchObject({ status: 404 });
    expect(await readBytes(world, path)).toMatchObject({ status: 303 });
    expect(await readBytes(world, path, { Accept: "application/json" })).toMatchObject({ status: 401 });
  });
});

describe("Deleted files", () => {
  it("Deleting a file returns the file and removes its row and bytes", async () => {
    const file = await storeFile(customer);
    const key = { headers: { "Idempotency-Key": "away" } };
    const deleted = await customer.call("DELETE", `/media/${file.id}`, undefined, key);
    expect(deleted).toMatchObject({ status: 200, body: { media: file } });
    expect((await customer.call("DELETE", `/media/${file.id}`, undefined, key)).body.media).toEqual(file);
    expect(await storedKeys(customer)).toEqual([]);
    for (const path of [`/media/${file.id}`, `/media/${file.id}/content`])
      expect(await customer.call("GET", path)).toMatchObject({ status: 404 });
    expect(await customer.call("DELETE", `/media/${file.id}`)).toMatchObject({ status: 404 });
    expect(await onShard(customer, "SELECT id FROM media WHERE id = ?", file.id)).toEqual([]);
  });
});

describe("Expired files", () => {
  it("A file expires after a year, and the cron deletes its bytes", async () => {
    const file = await storeFile(customer);
    world.advance(365 * DAY - 1000);
    await world.cron();
    expect(await readFile(customer, file.id)).toMatchObject({ status: 200 });
    world.advance(2000);
    await world.cron();
    expect((await customer.call("GET", `/media/${file.id}`)).body.media).toEqual({ ...file, status: "expired" });
    expect(await readFile(customer, file.id)).toMatchObject({ status: 404 });
    expect(await storedKeys(customer)).toEqual([]);
    await world.cron();
    expect((await customer.call("GET", "/media")).body.media).toHaveLength(1);
  });
});

describe("Channel libraries", () => {
  const publicWorld = () => new World({ PUBLIC_URL: "http://tidings.test/" });

  it("A channel can read a file and create a link to it that works for an hour", async () => {
    const open = publicWorld();
    const its = await open.customer();
    const file = await storeFile(its);
    const media = await createMediaLibrary(await contextOf(its)).open(file.id);
    expect(media).toMatchObject({ id: file.id, mimeType: "image/png", bytes: 1000, sha256: file.sha256 });
    expect(new Uint8Array(await new Response(await media.read()).arrayBuffer())).toEqual(png());
    const link = await media.link();
    expect(link).toMatch(/^http:\/\/tidings\.test\/media\//);
    const path = new URL(link).pathname;
    expect(await readBytes(open, path)).toMatchObject({ status: 200, bytes: png() });
    expect(await readBytes(open, path, { Range: "bytes=0-0" })).toMatchObject({ status: 206 });
    for (const forged of [
      path.slice(0, -2) + "zz",
      path.replace(file.id, `${file.id.slice(0, -1)}${file.id.endsWith("0") ? "1" : "0"}`),
      "/media/a.b.c.d.e",
    ])
      expect(await readBytes(open, forged)).toMatchObject({ status: 404 });
    open.advance(3_599_000);
    expect(await readBytes(open, path)).toMatchObject({ status: 200 });
    open.advance(2000);
    expect(await readBytes(open, path)).toMatchObject({ status: 404 });
  });

  it("A channel cannot read a deleted file or another workspace's file, and gets no link if Tidings has no public URL", async () => {
    const hidden = await new World({ PUBLIC_URL: "" }).customer();
    const library = createMediaLibrary(await contextOf(hidden));
    const unlinked = await library.open((await storeFile(hidden)).id);
    await expect(unlinked.link()).rejects.toThrow(MediaUnavailable);
    const file = await storeFile(customer);
    const others = createMediaLibrary(await contextOf(await world.customer()));
    await expect(others.open(file.id)).rejects.toThrow(MediaUnavailable);
    await customer.call("DELETE", `/media/${file.id}`);
    await expect(createMediaLibrary(await contextOf(customer)).open(file.id)).rejects.toThrow(MediaUnavailable);
  });

  it("A channel reuses the provider's id of an uploaded file for its connection until the id expires", async () => {
    const ctx = await contextOf(customer);
    const file = await createMediaLibrary(ctx).open((await storeFile(customer)).id);
    const found = (connectionId: string) => createMediaLibrary(ctx).findUpload(connectionId, file);
    expect(await found("conn_a")).toBeNull();
    await createMediaLibrary(ctx).storeUpload("conn_a", file, "4711", DAY);
    expect([await found("conn_a"), await found("conn_b")]).toEqual(["4711", null]);
    await createMediaLibrary(ctx).storeUpload("conn_a", file, "4712", DAY / 2);
    expect(await found("conn_a")).toBe("4711");
    world.advance(DAY);
    expect(await found("conn_a")).toBeNull();
    await world.cron();
    expect(await onShard(customer, "SELECT 1 AS one FROM media_uploads WHERE connection_id = 'conn_a'")).toEqual([]);
  });
});
