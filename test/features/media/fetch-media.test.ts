import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { fileOf, heads, png, readFile, sha256Of, storedKeys } from "../../support/media.ts";
import { type Customer, World } from "../../support/world.ts";

const world = new World();
let customer: Customer;

beforeEach(async () => {
  vi.restoreAllMocks();
  stopClock();
  vi.spyOn(console, "error").mockReturnValue();
  customer = await world.customer();
});

const URL_OF_FILE = "https://files.example.org/menu.png";

/** Simulates a server that returns these responses in turn. */
const serve = (...answers: ((url: string) => Response | Promise<Response>)[]) => {
  let calls = 0;
  return vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const answer = answers[Math.min(calls++, answers.length - 1)];
    if (answer === undefined) throw new Error("There is no answer.");
    return answer(input instanceof Request ? input.url : String(input));
  });
};

const answerWith =
  (bytes: Uint8Array, headers: Record<string, string> = {}, status = 200) =>
  () =>
    new Response(bytes, {
      status,
      headers: { "Content-Type": "image/png", "Content-Length": String(bytes.length), ...headers },
    });

const ask = async (url = URL_OF_FILE) => (await customer.call("POST", "/media", { url })).body.media;
const shown = async (id: string) => (await customer.call("GET", `/media/${id}`)).body.media;
const settle = () => world.settle({ withinMs: 60 * 60_000 });

describe("Files at a URL", () => {
  it("A file at a URL is `pending` until it is fetched, and then `stored`", async () => {
    const fetching = serve(answerWith(png(5000)));
    const media = await ask();
    expect(media).toMatchObject({ status: "pending", bytes: null, reason: null });
    const early = await customer.call("GET", `/media/${media.id}/content`);
    expect(early).toMatchObject({ status: 409, body: { error: { details: { status: "pending" } } } });
    await settle();
    const sha256 = await sha256Of(png(5000));
    expect(await shown(media.id)).toMatchObject({ status: "stored", mime_type: "image/png", bytes: 5000, sha256 });
    expect((await readFile(customer, media.id)).bytes).toEqual(png(5000));
    expect(fetching).toHaveBeenCalledTimes(1);
  });

  it.each([
    "http://files.example.org/a",
    "https://10.0.0.1/a",
    "https://localhost/a",
    "https://u:p@a.org/",
    "ftp://a",
    "a",
  ])("A file at a forbidden URL is rejected immediately: %s", async (url) => {
    const strict = new World({ ALLOW_PRIVATE_UPSTREAMS: "false" });
    const its = await strict.customer();
    const answer = await its.call("POST", "/media", { url });
    expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path: "url" }] } } });
  });

  it("A file at a URL is fetched once, however often the queue delivers and the cron runs", async () => {
    const fetching = serve(answerWith(png()));
    const media = await ask();
    await world.settle({ copies: 3 });
    world.advance(120_000);
    await world.cron();
    await settle();
    expect(fetching).toHaveBeenCalledTimes(1);
    expect(await shown(media.id)).toMatchObject({ status: "stored" });
  });

  it("The cron fetches a file at a URL if its queue message is lost", async () => {
    serve(answerWith(png()));
    const media = await ask();
    world.queues.messages.length = 0;
    world.advance(61_000);
    await world.cron();
    await settle();
    expect(await shown(media.id)).toMatchObject({ status: "stored" });
  });

  it("A repeated request does not fetch a file at a URL a second time", async () => {
    const fetching = serve(answerWith(png()));
    const again = () =>
      customer.call("POST", "/media", { url: URL_OF_FILE }, { headers: { "Idempotency-Key": "fetch" } });
    const [first, second] = [await again(), await again()];
    expect(second.body.media).toEqual(first.body.media);
    await settle();
    expect(fetching).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["a page", answerWith(new TextEncoder().encode("<html>Not found"), { "Content-Type": "text/html" }), "web page"],
    ["a page under another name", answerWith(new TextEncoder().encode("<!doctype html>")), "does not match its type"],
    ["nothing", answerWith(new Uint8Array()), "empty"],
    ["not found", answerWith(png(), {}, 404), "returned 404"],
    ["more than it may have", answerWith(png(), { "Content-Length": "104857601" }), "too large"],
  ])("A file at a URL fails permanently, with a reason, if the response is %s", async (_, answer, reason) => {
    const fetching = serve(answer);
    const media = await ask();
    await settle();
    expect(await shown(media.id)).toMatchObject({ status: "failed", reason: expect.stringContaining(reason) });
    expect(fetching).toHaveBeenCalledTimes(1);
    const content = await customer.call("GET", `/media/${media.id}/content`);
    expect(content).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
    expect(await storedKeys(customer)).toEqual([]);
  });

  it.each([
    ["busy", answerWith(png(), {}, 503)],
    ["cut short", answerWith(png(), { "Content-Length": "2000" })],
    ["longer than announced", answerWith(png(), { "Content-Length": "500" })],
    ["silent", () => Promise.reject(new Error("Network connection lost."))],
  ])("A file at a URL is fetched up to three times if the server is %s", async (_, answer) => {
    const fetching = serve(answer);
    const media = await ask();
    await settle();
    expect(fetching).toHaveBeenCalledTimes(3);
    expect(await shown(media.id)).toMatchObject({ status: "failed" });
    serve(answer, answerWith(png()));
    const lucky = await ask();
    await settle();
    expect(await shown(lucky.id)).toMatchObject({ status: "stored", reason: null });
  });

  it("A file at a URL gets its type from the bytes if the server declares no useful type", async () => {
    const bytes = fileOf(heads["application/pdf"]);
    for (const type of ["binary/octet-stream", "image/jpeg", ""]) {
      serve(answerWith(bytes, { "Content-Type": type }));
      const media = await ask();
      await settle();
      expect(await shown(media.id)).toMatchObject({ status: "stored", mime_type: "application/pdf" });
    }
  });

  it("A file at a URL is stored if its length is unknown or is the length of a compressed response", async () => {
    const chunked = () =>
      new Response(new Blob([png(6_000_000)]).stream(), { headers: { "Content-Type": "image/png" } });
    serve(chunked);
    const media = await ask();
    await settle();
    expect(await shown(media.id)).toMatchObject({ status: "stored", bytes: 6_000_000 });
  });

  it("A file at a URL is fetched through three redirects, and each URL must be allowed", async () => {
    const strict = new World({ ALLOW_PRIVATE_UPSTREAMS: "false" });
    const its = await strict.customer();
    const to = (location: string) => () => new Response(null, { status: 302, headers: { Location: location } });
    const fetchAt = async (...answers: Parameters<typeof serve>) => {
      serve(...answers);
      const { media } = (await its.call("POST", "/media", { url: URL_OF_FILE })).body;
      await strict.settle();
      return (await its.call("GET", `/media/${media.id}`)).body.media;
    };
    const hop = to("/b?c=d");
    expect(await fetchAt(hop, hop, hop, answerWith(png()))).toMatchObject({ status: "stored" });
    expect(await fetchAt(hop, hop, hop, hop, answerWith(png()))).toMatchObject({ status: "failed" });
    for (const inside of ["http://files.example.org/", "https://169.254.169.254/latest", "https://127.0.0.1/"])
      expect(await fetchAt(to(inside), answerWith(png()))).toMatchObject({
        status: "failed",
        reason: expect.stringContaining("is not allowed"),
      });
  });

  it("A file at a URL leaves no bytes behind if the file is deleted during its fetch", async () => {
    const answer = Promise.withResolvers<Response>();
    serve(() => answer.promise);
    const media = await ask();
    const fetching = world.queues.deliverDue(world.env);
    expect(await customer.call("DELETE", `/media/${media.id}`)).toMatchObject({ status: 200 });
    answer.resolve(answerWith(png())());
    await fetching;
    expect(await customer.call("GET", `/media/${media.id}`)).toMatchObject({ status: 404 });
    expect(await storedKeys(customer)).toEqual([]);
  });
});
