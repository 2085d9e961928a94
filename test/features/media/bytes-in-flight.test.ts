import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env as bindings } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import worker from "../../../src/index.ts";
import { stopClock } from "../../support/clock.ts";
import { heads, fileOf, storeFile } from "../../support/media.ts";
import { override } from "../../support/override.ts";
import { type Customer, World } from "../../support/world.ts";

const MEGABYTE = 1_048_576;
/** Smaller than the 50 MB of the bench `media`, because streams in JavaScript are slow. */
const FILE_BYTES = 8 * MEGABYTE;
const PIECE = 65_536;
/** The two streams buffer most of this. */
const MAX_IN_FLIGHT = MEGABYTE;
/** A file of unknown length is stored in parts of 5 MB, one at a time. */
const MAX_IN_PARTS = MAX_IN_FLIGHT + 5 * MEGABYTE;

/** Counts the bytes that the Worker has read and not yet passed on. */
class CountedFile {
  read = 0;
  passedOn = 0;
  /** The largest number of bytes between reading and passing on. */
  most = 0;

  readonly stream = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (this.read >= FILE_BYTES) return controller.close();
        controller.enqueue(this.read === 0 ? fileOf(heads["application/pdf"], PIECE) : new Uint8Array(PIECE));
        this.read += PIECE;
        this.most = Math.max(this.most, this.read - this.passedOn);
      },
    },
    { highWaterMark: 0 },
  );

  /** Reads the output slowly, so that other work runs between two chunks. */
  async drain(stream: ReadableStream<Uint8Array>): Promise<void> {
    for await (const piece of stream) {
      this.passedOn += piece.length;
      await scheduler.wait(0);
    }
  }
}

beforeEach(stopClock);

const ask = async (customer: Customer, method: string, path: string, init: RequestInit = {}) => {
  const headers = { Authorization: `Bearer ${customer.key}`, ...Object(init.headers) };
  const ctx = createExecutionContext();
  const request = new Request(`http://tidings.test/api/v1${path}`, { method, ...init, headers });
  const answer = await worker.fetch(request, customer.world.env, ctx);
  return { answer, ended: () => waitOnExecutionContext(ctx) };
};

describe("Large files", () => {
  it.each([
    ["announced", { "Content-Length": String(FILE_BYTES) }, MAX_IN_FLIGHT],
    ["not announced", {}, MAX_IN_PARTS],
  ])(
    "Uploading a large file never keeps the complete file in memory if its length is %s",
    { tags: "long" },
    async (_, announced, most) => {
      const file = new CountedFile();
      const take = async (body: ReadableStream<Uint8Array> | Uint8Array) => {
        await file.drain(body instanceof Uint8Array ? new Blob([new Uint8Array(body)]).stream() : body);
      };
      const uploadPart = async (partNumber: number, body: Uint8Array) => {
        await take(body);
        return { partNumber, etag: "etag" };
      };
      const MEDIA = override(bindings.MEDIA, {
        put: (key: string, body: ReadableStream<Uint8Array> | Uint8Array) => take(body),
        createMultipartUpload: () => Promise.resolve({ uploadPart, complete: () => Promise.resolve() }),
      });
      const customer = await new World({ MEDIA }).customer();
      const headers = { "Content-Type": "application/pdf", ...announced };
      const { answer, ended } = await ask(customer, "POST", "/media", { body: file.stream, headers });
      expect(await answer.json()).toMatchObject({ media: { bytes: FILE_BYTES, status: "stored" } });
      await ended();
      expect(file).toMatchObject({ read: FILE_BYTES, passedOn: FILE_BYTES });
      expect(file.most).toBeLessThanOrEqual(most);
    },
  );

  it("Downloading a large file never keeps the complete file in memory", async () => {
    const file = new CountedFile();
    const MEDIA = override(bindings.MEDIA, { get: () => Promise.resolve({ body: file.stream }) });
    const customer = await new World({ MEDIA }).customer();
    const { id } = await storeFile(customer);
    const { answer, ended } = await ask(customer, "GET", `/media/${id}/content`);
    await file.drain(answer.body ?? new Blob([]).stream());
    await ended();
    expect(file).toMatchObject({ read: FILE_BYTES, passedOn: FILE_BYTES });
    expect(file.most).toBeLessThanOrEqual(MAX_IN_FLIGHT);
  });
});
