import type { ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Tidings } from "../../../sdk/src/index.ts";
import { failureOf, hastenTime, refusal, startApi } from "./api.ts";

const stored = { status: 201, json: { success: true, media: { id: "med_1" } } };
const photo = new TextEncoder().encode("a photo");

describe("Uploads", () => {
  it("The client can upload bytes, a buffer, a Blob with its type, or an address", async () => {
    const { requests, tidings } = await startApi([stored]);
    const { media } = await tidings.media.upload(photo, { contentType: "image/jpeg", filename: "Größe 1.jpg" });
    expect(media.id).toBe("med_1");
    await tidings.media.upload(photo.buffer, { contentType: "image/jpeg" });
    await tidings.media.upload(new Blob([photo], { type: "image/png" }));
    await tidings.media.upload({ url: "https://www.example.com/menu.pdf", filename: "Menu.pdf" });
    expect(
      requests.map(({ url, headers, body }) => [url, headers["content-type"], headers["content-length"], body]),
    ).toEqual([
      ["/api/v1/media?filename=Gr%C3%B6%C3%9Fe+1.jpg", "image/jpeg", "7", "a photo"],
      ["/api/v1/media", "image/jpeg", "7", "a photo"],
      ["/api/v1/media", "image/png", "7", "a photo"],
      ["/api/v1/media", "application/json", "64", '{"url":"https://www.example.com/menu.pdf","filename":"Menu.pdf"}'],
    ]);
    expect(new Set(requests.map(({ headers }) => headers["idempotency-key"])).size).toBe(4);
  });

  it("The client rejects an upload of a file name instead of the file's bytes", () => {
    const upload: Function = new Tidings({ baseUrl: "http://127.0.0.1:1", apiKey: "tdg_secret" }).media.upload;
    expect(() => upload("photo.jpg")).toThrow("upload accepts a file's bytes");
  });

  it("The client retries a failed upload of bytes, but not of a stream", async () => {
    hastenTime();
    const unavailable = refusal(503, "unavailable", { "Retry-After": "0" });
    const { requests, tidings } = await startApi([unavailable, stored, unavailable]);
    await tidings.media.upload(photo, { contentType: "image/jpeg" });
    expect(requests.map(({ body }) => body)).toEqual(["a photo", "a photo"]);
    const upload = tidings.media.upload(new Blob([photo]).stream(), { contentType: "image/jpeg" });
    expect(await failureOf(upload)).toMatchObject({ code: "unavailable" });
    expect(requests.slice(2).map(({ body }) => body)).toEqual(["a photo"]);
  });
});

describe("Downloads", () => {
  it("The client downloads a stream, a range, or nothing if the file has not changed", async () => {
    const { requests, tidings } = await startApi([
      (response) => response.writeHead(200, { "Content-Type": "image/jpeg", ETag: '"1"' }).end("a photo"),
      (response) => response.writeHead(206, { "Content-Range": "bytes 2-6/7" }).end("photo"),
      (response) => response.writeHead(304).end(),
      refusal(404, "not_found"),
    ]);
    const whole = await tidings.media.download("med_1");
    expect(whole.headers.get("Content-Type")).toBe("image/jpeg");
    const chunks: string[] = [];
    for await (const chunk of whole.body?.pipeThrough(new TextDecoderStream()) ?? []) chunks.push(chunk);
    expect(chunks.join("")).toBe("a photo");
    const part = await tidings.media.download("med_1", { headers: { Range: "bytes=2-" } });
    expect(await part.text()).toBe("photo");
    expect(requests[1]?.headers).toMatchObject({ range: "bytes=2-" });
    expect((await tidings.media.download("med_1", { headers: { "If-None-Match": '"1"' } })).status).toBe(304);
    expect(await failureOf(tidings.media.download("med_1"))).toMatchObject({ code: "not_found", requestId: "req_1" });
  });

  it("A client download that has started has no timeout, but its signal can abort it", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const begun: ServerResponse[] = [];
    const { tidings } = await startApi([
      (response) => {
        begun.push(response);
        response.writeHead(200).write("a ");
      },
    ]);
    const slow = await tidings.media.download("med_1");
    vi.advanceTimersByTime(3_600_000);
    begun[0]?.end("photo");
    expect(await slow.text()).toBe("a photo");
    const controller = new AbortController();
    const endless = await tidings.media.download("med_1", { signal: controller.signal });
    controller.abort(new Error("Enough."));
    await expect(endless.text()).rejects.toThrow("Enough.");
  });
});
