import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { fileOf, heads, png, readFile, sha256Of, storedKeys, storeFile, uploadFile } from "../../support/media.ts";
import { type Customer, World } from "../../support/world.ts";

const world = new World();
let customer: Customer;

beforeEach(async () => {
  stopClock();
  vi.spyOn(console, "error").mockReturnValue();
  customer = await world.customer();
});

const listed = async (of: Customer = customer) => (await of.call("GET", "/media")).body.media;

describe("Uploads", () => {
  it("An upload is stored with its type, size, hash and name, and is returned byte for byte", async () => {
    const bytes = crypto.getRandomValues(png(60_000).subarray(16));
    const file = new Uint8Array([...png(16), ...bytes]);
    const answer = await uploadFile(customer, file, "image/png", { query: "?filename=menu.png" });
    expect(answer).toMatchObject({ status: 201 });
    expect(answer.body.media).toEqual({
      id: expect.stringMatching(/^med_[0-9a-z]{26}$/),
      mime_type: "image/png",
      bytes: file.length,
      sha256: await sha256Of(file),
      filename: "menu.png",
      status: "stored",
      reason: null,
      created_at: expect.stringMatching(/Z$/),
    });
    const content = await readFile(customer, answer.body.media.id);
    expect(await sha256Of(content.bytes)).toBe(await sha256Of(file));
    expect((await customer.call("GET", `/media/${answer.body.media.id}`)).body.media).toEqual(answer.body.media);
    expect(await listed()).toEqual([answer.body.media]);
  });

  it.each(Object.entries(heads))("An upload is stored as its actual type: %s", async (type, head) => {
    const answer = await uploadFile(customer, fileOf(head), type);
    expect(answer.body.media).toMatchObject({ mime_type: type, status: "stored" });
  });

  it.each([
    ["image/jpg", heads["image/jpeg"], "image/jpeg"],
    ["audio/ogg; codecs=opus", heads["audio/ogg"], "audio/ogg"],
    ["application/octet-stream", heads["application/pdf"], "application/pdf"],
    ["application/octet-stream", "\x01\x02", "application/octet-stream"],
    ["text/plain; charset=utf-8", "Grüße", "text/plain"],
    ["text/html", "<!doctype html><p>Hello", "text/html"],
    ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", heads["application/zip"], null],
  ])("An upload with the type %s is stored under the usual name of this type", async (type, head, shown) => {
    const answer = await uploadFile(customer, fileOf(head, head.length), type);
    expect(answer.body.media).toMatchObject({ mime_type: shown ?? type, status: "stored" });
  });

  it.each([
    ["a page", "<html><script>alert(1)</script>", "image/png"],
    ["a drawing with a script", "<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "image/png"],
    ["a drawing behind a comment", "<?xml version='1.0'?><!-- a --><svg></svg>", "text/csv"],
    ["a shell script", "#!/bin/sh\nrm -rf /", "image/jpeg"],
    ["a page", "  <!DOCTYPE html>", "application/pdf"],
    ["a page", "<html>", "application/x-unheard-of"],
    ["a program", "MZ\x90\0\x03\0", "application/pdf"],
    ["a program", "\x7fELF\x02\0", "application/x-unheard-of"],
    ["a PNG", heads["image/png"], "image/jpeg"],
    ["a film", heads["video/mp4"], "image/jpeg"],
    ["bytes", "\0\x01\x02\x03", "text/plain"],
    ["a text", "Hello", "image/webp"],
    ["half a signature", "\x89PNG", "image/png"],
  ])("An upload is rejected if it is %s but has a different declared type (%s, %s)", async (_, head, type) => {
    const answer = await uploadFile(customer, fileOf(head, head.length), type);
    expect(answer).toMatchObject({ status: 422 });
    expect(answer.body.error).toMatchObject({ code: "media_invalid", details: { reason: "wrong_type" } });
    expect([await listed(), await storedKeys(customer)]).toEqual([[], []]);
  });

  it("An upload that contains an HTML page is rejected, even if the page begins after many comments or spaces", async () => {
    const comments = "<!---->".repeat(500);
    for (const [head, status] of [
      [`${comments}x`, 201],
      [`${comments}<html>`, 422],
      [`${" ".repeat(1100)}<html><script>`, 422],
    ] as const)
      expect((await uploadFile(customer, fileOf(head, head.length), "application/x-unheard-of")).status).toBe(status);
    expect((await uploadFile(customer, fileOf("Hello", 5), "image/x-icon")).status).toBe(422);
  });

  it("A form cannot be uploaded as a file, and the error explains how to send a file", async () => {
    for (const type of ["multipart/form-data; boundary=x", "application/x-www-form-urlencoded"]) {
      const { status, body } = await uploadFile(customer, png(), type);
      expect([status, body.error.code]).toEqual([415, "unsupported_media_type"]);
      expect(body.error.message).toContain("--data-binary");
    }
  });

  it("A rejected upload is read to its end, because a sender reads the response only after it has sent everything", async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (pulled++ < 50) controller.enqueue(new Uint8Array(65_536).fill(1));
        else controller.close();
      },
    });
    const answer = await uploadFile(customer, body, "image/png");
    expect(answer.status).toBe(422);
    expect(pulled).toBe(51);
  });

  it("An upload is rejected if its type is missing or invalid, or if it has no bytes", async () => {
    for (const type of ["", "png", "image/"]) {
      const answer = await uploadFile(customer, png(), type);
      expect(answer.body.error.code).toBe("unsupported_media_type");
    }
    const answer = await uploadFile(customer, new Uint8Array(), "image/png");
    expect(answer.body.error).toMatchObject({ code: "media_invalid", details: { reason: "empty" } });
    expect(await storedKeys(customer)).toEqual([]);
  });

  it.each([
    ["shorter", 999],
    ["longer", 1001],
  ])("An upload is rejected and leaves nothing behind if it is %s than announced", async (_, size) => {
    const headers = { "Content-Length": "1000" };
    const answer = await uploadFile(customer, png(size), "image/png", { headers });
    expect(answer.body.error).toMatchObject({ code: "media_invalid", details: { reason: "wrong_length" } });
    expect([await listed(), await storedKeys(customer)]).toEqual([[], []]);
  });

  it("An upload over 100 MB is rejected, and immediately if its length is announced", async () => {
    const announced = await uploadFile(customer, png(), "image/png", { headers: { "Content-Length": "104857601" } });
    expect(announced).toMatchObject({ status: 413, body: { error: { code: "payload_too_large" } } });
    expect(await storedKeys(customer)).toEqual([]);
  });

  async function expectKept(size: number): Promise<void> {
    const file = png(size);
    file.fill(7, 5_000_000);
    const chunks = new Blob([file]).stream();
    const answer = await uploadFile(customer, chunks, "image/png");
    expect(answer.body.media).toMatchObject({ bytes: size, sha256: await sha256Of(file) });
    expect(await sha256Of((await readFile(customer, answer.body.media.id)).bytes)).toBe(answer.body.media.sha256);
  }

  it("An upload of 3 MB without an announced length is stored", () => expectKept(3_000_000));

  it("An upload of 12 MB without an announced length is stored in parts", { tags: "long" }, () =>
    expectKept(12_345_678),
  );

  it("An upload leaves nothing behind if its connection ends early", async () => {
    for (const headers of [{}, { "Content-Length": "20000000" }]) {
      let sent = 0;
      const broken = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (sent++ < 9) controller.enqueue(png(1_000_000));
          else controller.error(new Error("The connection is lost."));
        },
      });
      const answer = await uploadFile(customer, broken, "image/png", { headers });
      expect(answer.body.error).toMatchObject({ code: "media_invalid", details: { reason: "wrong_length" } });
    }
    expect([await listed(), await storedKeys(customer)]).toEqual([[], []]);
  });

  it("An upload is aborted after 30 seconds without a byte", async () => {
    const wait = setTimeout;
    vi.stubGlobal("setTimeout", (run: () => void, ms: number) => wait(run, ms === 30_000 || ms === 2000 ? 20 : ms));
    const slow = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(png(5000)) });
    const answer = await uploadFile(customer, slow, "image/png");
    vi.unstubAllGlobals();
    expect(answer.body.error).toMatchObject({ code: "media_invalid", message: "The file arrived too slowly." });
    expect(await storedKeys(customer)).toEqual([]);
  });

  it.each(["menu.pdf", 'Größe (2) – "neu".pdf', "no extension", `${"x".repeat(236)}.png`, "日本語.png"])(
    "An upload keeps the exact name %s",
    async (filename) => {
      const answer = await uploadFile(customer, png(), "image/png", {
        query: `?filename=${encodeURIComponent(filename)}`,
      });
      expect(answer.body.media?.filename, JSON.stringify(answer.body)).toBe(filename);
      const fetched = await customer.call("POST", "/media", { url: "https://files.test/a.png", filename });
      expect(fetched.body.media?.filename, JSON.stringify(fetched.body)).toBe(filename);
    },
  );

  it.each([
    "../../etc/passwd.png",
    "C:\\pictures\\a.png",
    "a\u202Egnp.exe.png",
    "a\n.png",
    "..",
    ".env",
    " a.png",
    "a.png ",
    "x".repeat(241),
  ])("An upload rejects the name %j, because the name cannot be kept exactly", async (filename) => {
    const refused = (path: string) => {
      const details = expect.arrayContaining([expect.objectContaining({ path })]);
      return { status: 400, body: { error: { code: "validation_failed", details } } };
    };
    const query = `?filename=${encodeURIComponent(filename)}`;
    const url = "https://files.test/a.png";
    expect(await uploadFile(customer, png(), "image/png", { query })).toMatchObject(refused("query.filename"));
    expect(await customer.call("POST", "/media", { url, filename })).toMatchObject(refused("filename"));
    expect(await customer.call("POST", `/media${query}`, { url })).toMatchObject(refused("query.filename"));
  });
});

describe("Files of a workspace", () => {
  it("The list of files contains only the workspace's own files, newest first, in pages", async () => {
    const other = await world.customer();
    const file = await storeFile(customer);
    for (const path of [`/media/${file.id}`, `/media/${file.id}/content`])
      expect(await other.call("GET", path)).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
    expect(await other.call("DELETE", `/media/${file.id}`)).toMatchObject({ status: 404 });
    expect(await listed(other)).toEqual([]);
    world.advance(1);
    const newer = await storeFile(customer, png(2000));
    const first = (await customer.call("GET", "/media?limit=1")).body;
    const second = (await customer.call("GET", `/media?limit=1&cursor=${first.next_cursor}`)).body;
    expect([...first.media, ...second.media]).toEqual([newer, file]);
    expect(second.next_cursor).toBeNull();
  });
});
