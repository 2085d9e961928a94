import { beforeEach, describe, expect, it } from "vitest";
import type { ChannelIo, OutboundMessage } from "../../src/channels/channel.ts";
import { whatsappCloud } from "../../src/channels/whatsapp-cloud/whatsapp-cloud.ts";
import { DAY_MS } from "../../src/shared/time/durations.ts";
import { UpstreamClosed } from "../../src/shared/network/upstream.ts";
import { cloudConnection as connection } from "../support/cloud-sends.ts";
import { MediaShelf } from "../support/media-shelf.ts";
import { CloudStandIn } from "../support/providers/cloud.ts";
import { graphError } from "../support/providers/graph-error.ts";
import { directIo, playInEachTest } from "../support/providers/linked.ts";
import type { Reply } from "../support/providers/stand-in.ts";

let cloud: CloudStandIn;
let media: MediaShelf;

playInEachTest(() => (cloud = new CloudStandIn()));
beforeEach(async () => {
  media = new MediaShelf();
  await media.put("med_1", { bytes: crypto.getRandomValues(new Uint8Array(50_000)), mimeType: "image/jpeg" });
});

const picture: OutboundMessage = {
  id: "msg_1",
  to: "+16505551234",
  body: "[image]",
  attempt: 1,
  content: { type: "image", content: { media_id: "med_1" } },
};

const send = (io: Partial<ChannelIo> = {}, message: Partial<OutboundMessage> = {}) =>
  whatsappCloud.send(connection, { ...picture, ...message }, { ...directIo(), media, ...io });

const calls = () => cloud.requests.map(({ method, path }) => `${method} ${path.split("/").at(-1)}`);

describe("File uploads", () => {
  it("A file is uploaded to Meta unchanged with its name and type before its message", async () => {
    const bytes = Uint8Array.from(
      new TextEncoder().encode('--boundary\r\nContent-Disposition: form-data; name="type"\r\n\r\nevil\r\n'),
    );
    await media.put("med_2", { bytes, mimeType: "application/pdf", filename: 'Größe "1"\r\n.pdf' });
    const content = { type: "document", content: { media_id: "med_2", filename: "Size.pdf" } } as const;
    expect(await send({}, { content })).toMatchObject({ kind: "accepted" });
    const [[id, file] = []] = [...cloud.files.uploads];
    expect(file).toEqual({ bytes, mimeType: "application/pdf", filename: expect.stringContaining("Größe") });
    expect(cloud.handed[0]?.request.document).toEqual({ id, filename: "Size.pdf" });
    expect(calls()).toEqual(["POST media", "POST messages"]);
    expect(cloud.requests[0]?.headers.get("Authorization")).toBe(`Bearer ${cloud.settings.access_token}`);
  });

  it("A file is uploaded to Meta once per connection, and the upload is reused for less than 30 days, because Meta deletes it then", async () => {
    for (let times = 0; times < 3; times++) expect(await send()).toMatchObject({ kind: "accepted" });
    expect(calls()).toEqual(["POST media", "POST messages", "POST messages", "POST messages"]);
    expect([...media.stored.values()]).toEqual([{ id: [...cloud.files.uploads.keys()][0], forMs: 29 * DAY_MS }]);
    await whatsappCloud.send({ ...connection, id: "conn_2" }, picture, { ...directIo(), media });
    expect(cloud.files.uploads.size).toBe(2);
  });

  it("A file of type OGG declares Opus in its upload to Meta", async () => {
    await media.put("med_2", { bytes: new Uint8Array(9).fill(1), mimeType: "audio/ogg" });
    await send({}, { content: { type: "audio", content: { media_id: "med_2", voice: true } } });
    expect([...cloud.files.uploads.values()][0]?.mimeType).toBe("audio/ogg; codecs=opus");
  });

  it("If Meta no longer has an uploaded file, Tidings uploads the file again once", async () => {
    await send();
    cloud.files.uploads.clear();
    expect(await send()).toMatchObject({ kind: "accepted" });
    expect(calls()).toEqual(["POST media", "POST messages", "POST messages", "POST media", "POST messages"]);
    expect(cloud.handed).toHaveLength(2);
  });

  it("A message fails if Meta also rejects the file after Tidings has uploaded it again", async () => {
    await send();
    cloud.next(...[1, 2, 3].map(() => () => graphError(131053, "Media upload error")));
    expect(await send()).toMatchObject({ kind: "refused", error: { code: "media_invalid", providerCode: "131053" } });
    expect(calls().slice(2)).toEqual(["POST messages", "POST media", "POST messages"]);
  });

  it("A file is not uploaded to Meta again after an unrelated rejection", async () => {
    await send();
    cloud.next(() => graphError(100, "Invalid parameter", 400, "Caption is too long"));
    expect(await send()).toMatchObject({ kind: "refused", error: { code: "provider_rejected" } });
    expect(calls().filter((call) => call === "POST media")).toHaveLength(1);
  });

  it("A file can be uploaded to Meta ahead of its messages, which reuse the upload", async () => {
    const file = await media.open("med_1");
    for (let times = 0; times < 2; times++) {
      expect(await whatsappCloud.uploadMedia?.(connection, file, { ...directIo(), media })).toEqual({
        kind: "uploaded",
      });
    }
    await send();
    expect(calls()).toEqual(["POST media", "POST messages"]);
  });

  it("A message with a file is sent even if the id of its upload could not be stored", async () => {
    media.storeUpload = () => Promise.reject(new Error("Storage is down."));
    expect(await send()).toMatchObject({ kind: "accepted" });
  });
});

const failures: [string, () => Reply, string, string][] = [
  ["a file of a wrong type", () => graphError(100, "Param file must be a file"), "refused", "media_invalid"],
  ["a file that is too large", () => graphError(131053, "Media upload error"), "refused", "media_invalid"],
  ["an expired token", () => graphError(190, "Expired", 401), "refused", "account_blocked"],
  ["a redirect", () => new Response(null, { status: 302, headers: { Location: "/" } }), "refused", "media_invalid"],
  ["too many calls", () => graphError(130429, "Rate limit hit", 429), "retry", "rate_limited"],
  [
    "an error that says nothing",
    () => graphError(131000, "Something went wrong", 500),
    "retry",
    "provider_unreachable",
  ],
  ["a gateway's error", () => new Response("Bad gateway", { status: 502 }), "retry", "provider_unreachable"],
  ["an answer without an id", () => Response.json({ success: true }), "retry", "provider_unreachable"],
  ["a lost answer", () => "lost", "retry", "provider_unreachable"],
];

describe("Failed uploads", () => {
  it.each(failures)(
    "A message whose file upload fails for %s is not sent, and its outcome is not `lost`",
    async (_, reply, kind, code) => {
      cloud.files.refusals.push(reply);
      expect(await send()).toMatchObject({ kind, error: { code } });
      expect(cloud.handed).toEqual([]);
      expect(calls()).toEqual(["POST media"]);
      expect(media.stored.size).toBe(0);
    },
  );

  it("A message with a truncated file is not sent and can be retried", async () => {
    const file = await media.open("med_1");
    media.files.set("med_1", { ...file, bytes: file.bytes + 1 });
    expect(await send()).toMatchObject({ kind: "retry" });
    media.files.set("med_1", { ...file, read: () => Promise.reject(new Error("Storage is down.")) });
    expect(await send()).toMatchObject({ kind: "retry" });
    expect(cloud.handed).toEqual([]);
  });

  it("A message whose file was deleted is rejected", async () => {
    const content = { type: "image", content: { media_id: "med_gone" } } as const;
    const error = { code: "media_invalid", message: "The file has expired.", providerCode: null };
    expect(await send({}, { content })).toEqual({ kind: "refused", error });
    expect(cloud.requests).toEqual([]);
  });

  it("If the run of the Worker ends before a message's file is uploaded, the message is not sent", async () => {
    const upstream = () => Promise.reject(new UpstreamClosed("No more calls can start."));
    await expect(send({ upstream })).rejects.toThrow(UpstreamClosed);
    expect(cloud.handed).toEqual([]);
  });
});
