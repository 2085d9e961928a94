import { afterEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../support/clock.ts";
import { createGate, createUpstream, UpstreamClosed, UpstreamRefused } from "../../src/shared/network/upstream.ts";

afterEach(() => {
  vi.useRealTimers();
});

const request = { method: "GET", url: "https://graph.facebook.com/v25.0/1?fields=a", headers: {} } as const;

const upstreamOf = (fetcher: typeof fetch, allowPrivate = false) => createUpstream({ allowPrivate, fetcher });

describe("Calls to providers", () => {
  it("A call to a provider returns status, headers and JSON, and does not follow a redirect", async () => {
    const fetcher = vi.fn<typeof fetch>(async () => Response.json({ a: 1 }, { status: 201 }));
    expect(await upstreamOf(fetcher)(request)).toMatchObject({ status: 201, json: { a: 1 } });
    expect(fetcher.mock.calls[0]?.[1]).toMatchObject({ redirect: "manual", method: "GET" });
    expect(await upstreamOf(async () => new Response("<html>"))(request)).toMatchObject({ json: null });
  });

  it("A call to a provider is rejected if its address is not allowed", async () => {
    const fetcher = vi.fn<typeof fetch>();
    for (const url of [
      "",
      "api/x",
      "https://127.0.0.1/x",
      "http://graph.facebook.com/x",
      "https://a:b@graph.facebook.com/x",
    ]) {
      await expect(upstreamOf(fetcher)({ ...request, url })).rejects.toThrow(UpstreamRefused);
    }
    expect(fetcher).not.toHaveBeenCalled();
  });

  it("At most six calls to providers run at a time, and all calls run", async () => {
    let [running, most] = [0, 0];
    const upstream = upstreamOf(async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running--;
      if (most % 2 === 0) throw new Error("lost");
      return Response.json({});
    });
    const calls = await Promise.allSettled(Array.from({ length: 50 }, () => upstream(request)));
    expect([calls.length, most, running]).toEqual([50, 6, 0]);
  });

  it("No call to a provider starts after its deadline, and all calls share the limit of six", async () => {
    stopClock();
    const closesAt = Date.now();
    const isOpen = () => Date.now() <= closesAt;
    const fetcher = vi.fn<typeof fetch>(async () => Response.json({}));
    const gate = createGate();
    const closing = createUpstream({ allowPrivate: false, fetcher, gate, isOpen });
    await closing(request);
    const others = Promise.withResolvers<undefined>();
    const busy = Array.from({ length: 6 }, () => gate(() => others.promise));
    const waiting = closing(request);
    vi.setSystemTime(closesAt + 1);
    others.resolve(undefined);
    await expect(waiting).rejects.toThrow(UpstreamClosed);
    await Promise.all(busy);
    expect(fetcher).toHaveBeenCalledTimes(1);
    await createUpstream({ allowPrivate: false, fetcher, gate })(request);
    expect(fetcher).toHaveBeenCalledTimes(2);
  });

  it.each([
    ["does not start its response", () => new Promise<Response>(() => {}), 8000],
    ["does not finish its response", async () => new Response(new ReadableStream()), 12_000],
  ])("A call to a provider fails if the provider %s", async (_, answer, ms) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const upstream = upstreamOf((_url, init) => {
      const late = new Promise<Response>((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
      });
      return Promise.race([answer(), late]);
    });
    const ended = vi.fn<(error: unknown) => void>();
    const call = upstream(request).catch(ended);
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await call;
    expect(ended).toHaveBeenCalledTimes(1);
  });

  it("A call to a provider fails if the response is too large", async () => {
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1_000_000)) });
    await expect(upstreamOf(async () => new Response(endless))(request)).rejects.toThrow(/too large/);
  });
});
