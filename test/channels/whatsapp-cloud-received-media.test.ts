import { describe, expect, it } from "vitest";
import { ProviderError, MediaGone } from "../../src/channels/channel.ts";
import type { ProviderMedia } from "../../src/channels/content.ts";
import { whatsappCloud } from "../../src/channels/whatsapp-cloud/whatsapp-cloud.ts";
import { cloudConnection as connection } from "../support/cloud-sends.ts";
import { CloudStandIn } from "../support/providers/cloud.ts";
import { directIo, playInEachTest } from "../support/providers/linked.ts";

let cloud: CloudStandIn;

playInEachTest(() => (cloud = new CloudStandIn()));

const bytes = crypto.getRandomValues(new Uint8Array(5000));
const media = (id: string | null, url: string | null = null): ProviderMedia => ({
  id,
  url,
  mimeType: "image/jpeg",
  filename: null,
  sha256: null,
});

const fetchMedia = async (file: ProviderMedia, io = directIo()) => {
  const fetched = await whatsappCloud.fetchMedia?.(connection, file, io);
  if (fetched === undefined) throw new Error("This channel fetches nothing.");
  return fetched;
};

describe("Inbound files", () => {
  it("An inbound Cloud API file is requested by its id and fetched with the access token", async () => {
    const id = cloud.files.receive(bytes, "image/jpeg");
    const fetched = await fetchMedia(media(id));
    expect(fetched).toMatchObject({ mimeType: "image/jpeg", bytes: 5000 });
    expect(new Uint8Array(await new Response(fetched.body).arrayBuffer())).toEqual(bytes);
    expect(cloud.requests.map(({ path }) => path)).toEqual([
      `/v25.0/${id}?phone_number_id=106540352242922`,
      expect.stringContaining("/whatsapp_business/attachments/"),
    ]);
    for (const { headers } of cloud.requests)
      expect(headers.get("Authorization")).toBe(`Bearer ${cloud.settings.access_token}`);
  });

  it.each([
    "https://elsewhere.test/file",
    "http://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1",
    "https://lookaside.fbsbx.com.elsewhere.test/",
    "https://evilfbcdn.net/file",
    "https://lookaside.fbsbx.com:8443/",
    "https://user:secret@lookaside.fbsbx.com/",
    "https://provider.test:3000/",
    "http://provider.test:3001/",
    "file:///etc/passwd",
    "nonsense",
  ])("An inbound Cloud API file is not fetched from %s, and the token is not sent there", async (url) => {
    const id = cloud.files.receive(bytes, "image/jpeg");
    cloud.files.announced = (said) => ({ ...said, url });
    await expect(fetchMedia(media(id))).rejects.toThrow(ProviderError);
    await expect(fetchMedia(media(null, url))).rejects.toThrow(ProviderError);
    expect(cloud.requests).toHaveLength(1);
  });

  it.each([
    "https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1",
    "https://mmg.whatsapp.net/d/f/A.enc",
    "https://scontent.xx.fbcdn.net/v/t1.jpg",
  ])("An inbound Cloud API file is fetched from Meta's %s", async (url) => {
    const called: string[] = [];
    const io = directIo();
    const download: typeof io.download = (request) => {
      called.push(`${request.url} ${request.headers["Authorization"] ?? ""}`);
      return Promise.resolve(new Response("x", { headers: { "Content-Type": "image/jpeg" } }));
    };
    await (await fetchMedia(media(null, url), { ...io, download })).body.cancel();
    expect(called).toEqual([`${url} Bearer ${cloud.settings.access_token}`]);
  });

  it("An inbound Cloud API file that has expired fails as expired", async () => {
    await expect(fetchMedia(media("4711"))).rejects.toThrow("The provider no longer has the file.");
    await expect(fetchMedia(media("4711"))).rejects.toThrow(MediaGone);
    const id = cloud.files.receive(bytes, "image/jpeg");
    cloud.files.served = () => new Response("URL signature expired", { status: 404 });
    await expect(fetchMedia(media(id))).rejects.toThrow("The provider no longer has the file.");
    await expect(fetchMedia(media(id))).rejects.toThrow(MediaGone);
    await expect(fetchMedia(media(null))).rejects.toThrow(ProviderError);
  });

  it("An inbound Cloud API file whose address has expired is fetched from a new address", async () => {
    const id = cloud.files.receive(bytes, "image/jpeg");
    const { served } = cloud.files;
    cloud.files.served = () => {
      cloud.files.served = served;
      return new Response("URL signature expired", { status: 404 });
    };
    const file = await fetchMedia(media(id));
    expect(new Uint8Array(await new Response(file.body).arrayBuffer())).toEqual(bytes);
  });

  it("An inbound Cloud API file that is temporarily unavailable is not treated as expired", async () => {
    const id = cloud.files.receive(bytes, "image/jpeg");
    for (const status of [401, 403, 429, 500]) {
      cloud.files.served = () => new Response("{}", { status });
      await expect(fetchMedia(media(id))).rejects.not.toThrow(MediaGone);
    }
  });

  it.each([
    ["a page", () => new Response("<html>", { headers: { "Content-Type": "text/html" } }), "but sent text/html"],
    [
      "another length",
      () => new Response("short", { headers: { "Content-Type": "image/jpeg", "Content-Length": "5" } }),
      "announced 5000 bytes, but sent 5",
    ],
    ["an error", () => new Response("{}", { status: 500 }), "500"],
    ["a redirect", () => new Response(null, { status: 302, headers: { Location: "http://10.0.0.1" } }), "redirect"],
  ])("An inbound Cloud API file that is served as %s is rejected", async (_, served, message) => {
    const id = cloud.files.receive(bytes, "image/jpeg");
    cloud.files.served = served;
    await expect(fetchMedia(media(id))).rejects.toThrow(message);
  });

  it("Fetching an inbound Cloud API file requires a valid access token", async () => {
    const expired = { ...connection, config: { ...connection.config, access_token: "old" } };
    const fetched = whatsappCloud.fetchMedia?.(expired, media("1"), directIo());
    await expect(fetched).rejects.toMatchObject({ providerCode: "190", notice: { status: "error" } });
  });
});

it("A read message is marked as read at WhatsApp", async () => {
  await whatsappCloud.markRead?.(connection, { providerMessageId: "wamid.in1", from: "+14155550100" }, directIo());
  expect(JSON.parse(cloud.requests[0]?.body ?? "")).toEqual({
    messaging_product: "whatsapp",
    status: "read",
    message_id: "wamid.in1",
  });
  expect(cloud.read).toEqual(["wamid.in1"]);
});
