import { describe, expect, it, vi } from "vitest";
import type { ProviderMedia } from "../../src/channels/content.ts";
import { MediaGone } from "../../src/channels/channel.ts";
import { waha } from "../../src/channels/waha/waha.ts";
import { createDownload, createUpstream } from "../../src/shared/network/upstream.ts";
import { directIo, playInEachTest, UPSTREAM } from "../support/providers/linked.ts";
import { json } from "../support/providers/stand-in.ts";
import { WahaStandIn } from "../support/providers/waha.ts";

let server: WahaStandIn;

playInEachTest(() => (server = new WahaStandIn()));

const bytes = new Uint8Array([255, 216, 0, 1, 2]);
const id = "false_14155550177@c.us_ID";

const mediaAt = (url: string | null, more: Partial<ProviderMedia> = {}): ProviderMedia => ({
  id,
  url,
  mimeType: "image/jpeg",
  filename: null,
  sha256: null,
  ...more,
});

const fetchMedia = async (media: ProviderMedia, base = UPSTREAM, io = directIo()) =>
  waha.fetchMedia?.({ id: "conn_1", config: server.config(base) }, media, io);

const gone = { detail: "The provider no longer has the file." };

describe("Files received over WAHA", () => {
  it.each([
    ["localhost", "http://localhost:3000/api/files/default/a%20b.jpg"],
    ["another name of the server", "https://waha.internal:8443/waha/api/files/default/a%20b.jpg"],
    ["the connection's address", `${UPSTREAM}/api/files/default/a%20b.jpg`],
  ])(
    "If the address of a received file contains %s, the file is fetched from the connection's address, with the key",
    async (_, url) => {
      server.files.set("default/a b.jpg", { bytes, mimeType: "image/jpeg" });
      const file = await fetchMedia(mediaAt(url));
      expect(file).toMatchObject({ mimeType: "image/jpeg", bytes: 5 });
      expect(new Uint8Array(await new Response(file?.body).arrayBuffer())).toEqual(bytes);
      expect(server.requests).toMatchObject([{ method: "GET", path: "/api/files/default/a%20b.jpg" }]);
    },
  );

  it("A received file in a bucket on a different server is fetched without WAHA's key", async () => {
    const seen: Request[] = [];
    vi.mocked(globalThis.fetch).mockImplementation((input, init) => {
      seen.push(new Request(input, init));
      return Promise.resolve(new Response(bytes));
    });
    await fetchMedia(mediaAt("https://bucket.example.com/default/ID.jpg?X-Amz-Signature=1", { mimeType: null }));
    expect(seen.map(({ url }) => url)).toEqual(["https://bucket.example.com/default/ID.jpg?X-Amz-Signature=1"]);
    expect(JSON.stringify([...(seen[0]?.headers ?? [])])).not.toContain(server.settings.api_key);
  });

  it("A received file at a private address of a different server is not fetched", async () => {
    const fetcher: typeof fetch = (...call) => fetch(...call);
    const io = {
      ...directIo(),
      upstream: createUpstream({ allowPrivate: false, fetcher }),
      download: createDownload({ allowPrivate: false, fetcher }),
    };
    await expect(fetchMedia(mediaAt("http://169.254.169.254/latest"), "https://waha.example.com", io)).rejects.toThrow(
      /is not allowed/,
    );
    expect(server.requests).toEqual([]);
  });

  it.each([
    ["was deleted", "http://localhost:3000/api/files/old.jpg"],
    ["was not fetched by WAHA", null],
  ])("If a received file %s, Tidings requests the file again by the id of its message", async (_, url) => {
    server.refetched.set(id, "new.jpg");
    server.files.set("new.jpg", { bytes, mimeType: "image/jpeg" });
    const file = await fetchMedia(mediaAt(url));
    expect(new Uint8Array(await new Response(file?.body).arrayBuffer())).toEqual(bytes);
    expect(server.requests.map(({ path }) => path).slice(-2)).toEqual([
      `/api/default/chats/${encodeURIComponent("14155550177@c.us")}/messages/${encodeURIComponent(id)}?downloadMedia=true`,
      "/api/files/new.jpg",
    ]);
  });

  it("A received file fails if it no longer exists or its address is invalid", async () => {
    await expect(fetchMedia(mediaAt("http://localhost:3000/api/files/old.jpg"))).rejects.toMatchObject(gone);
    await expect(fetchMedia(mediaAt(null, { id: null }))).rejects.toMatchObject(gone);
    await expect(fetchMedia(mediaAt("http://localhost:3000/api/files/old.jpg"))).rejects.toThrow(MediaGone);
    await expect(fetchMedia(mediaAt("api/files/old.jpg"))).rejects.toThrow("The provider's file address is not valid.");
  });

  it("A message's file is stored later if WAHA had not fetched it when the message arrived", async () => {
    await expect(fetchMedia(mediaAt(null))).rejects.not.toThrow(MediaGone);
    await expect(fetchMedia(mediaAt(null))).rejects.toThrow("The provider does not have the file yet.");
  });

  it("Fetching a received file throws an error while the WAHA server fails or cannot be reached", async () => {
    server.gateway = () => json({ message: "Bad Gateway" }, 502);
    await expect(fetchMedia(mediaAt("http://localhost:3000/api/files/a.jpg"))).rejects.toMatchObject({
      providerCode: "502",
    });
    server.gateway = () => "lost";
    await expect(fetchMedia(mediaAt("http://localhost:3000/api/files/a.jpg"))).rejects.toThrow(/could not be fetched/);
  });
});

describe("Read receipts", () => {
  const read = async () =>
    waha.markRead?.(
      { id: "conn_1", config: server.config(UPSTREAM) },
      { providerMessageId: id, from: "+14155550177" },
      directIo(),
    );

  it("A read receipt marks the chat as read in WAHA", async () => {
    await read();
    expect(server.seen).toEqual([{ session: "default", chatId: "14155550177@c.us" }]);
  });

  it("A read receipt contains the id of the message if the WAHA engine does not store messages", async () => {
    server.hasNoStore = true;
    await read();
    expect(server.seen).toEqual([{ session: "default", chatId: "14155550177@c.us", messageIds: [id] }]);
  });

  it("A read receipt that WAHA rejects fails with WAHA's text", async () => {
    server.gateway = server.failures.expired;
    await expect(read()).rejects.toMatchObject({ detail: "Unauthorized", notice: { status: "error" } });
    expect(server.requests).toHaveLength(1);
    server.gateway = () => "lost";
    await expect(read()).rejects.toThrow(/could not be reached/);
  });
});
