import { beforeEach, describe, expect, it } from "vitest";
import { mediaLinkPath } from "../../../src/features/media/media.names.ts";
import { contextOf } from "../../support/context.ts";
import { fileOf, heads, readBytes, storeFile } from "../../support/media.ts";
import { CloudStandIn } from "../../support/providers/cloud.ts";
import { graphError } from "../../support/providers/graph-error.ts";
import { linkedCustomer, playInEachTest, playProvider, report } from "../../support/providers/linked.ts";
import type { Reply } from "../../support/providers/stand-in.ts";
import { WahaStandIn } from "../../support/providers/waha.ts";
import type { Customer } from "../../support/world.ts";

const DAY_MS = 86_400_000;
const TO = "+14155550100";

let cloud: CloudStandIn;
playInEachTest(() => (cloud = new CloudStandIn()));

function newPicture(size = 200_000): Uint8Array<ArrayBuffer> {
  const bytes = fileOf(heads["image/jpeg"], size);
  for (let at = 100; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
}

/** Sends an image. Returns the message after all work that is due within `withinMs`. */
async function sendPicture(customer: Customer, media_id: string, withinMs = 0) {
  const { message_id } = (await customer.call("POST", "/messages", { to: TO, image: { media_id } })).body;
  await customer.world.settle({ withinMs });
  return customer.message(message_id);
}

const uploads = () => cloud.requests.filter(({ path }) => path.endsWith("/media")).length;

describe("Files sent through the WhatsApp Cloud API", () => {
  let customer: Customer;
  let bytes: Uint8Array<ArrayBuffer>;
  let mediaId: string;

  beforeEach(async () => {
    customer = await linkedCustomer(cloud);
    await report(customer, cloud.inbound(TO, "Hi"));
    bytes = newPicture();
    mediaId = (await storeFile(customer, bytes, "image/jpeg", "?filename=menu.jpg")).id;
  });

  it("A file sent through the WhatsApp Cloud API arrives byte for byte", async () => {
    const large = newPicture(3_000_000);
    const { id: largeId } = await storeFile(customer, large, "image/jpeg", "?filename=menu.jpg");
    expect(await sendPicture(customer, largeId)).toMatchObject({ delivery: "sent" });
    const [[id, file] = []] = [...cloud.files.uploads];
    expect(file).toEqual({ bytes: large, mimeType: "image/jpeg", filename: "menu.jpg" });
    expect(cloud.handed).toMatchObject([{ request: { image: { id } } }]);
  });

  it("A file sent through the WhatsApp Cloud API is uploaded again only after the provider's id expires", async () => {
    for (const [days, count] of [
      [0, 1],
      [28, 1],
      [2, 2],
      [1, 2],
    ] as const) {
      customer.world.advance(days * DAY_MS);
      await report(customer, cloud.inbound(TO, "Hi"));
      expect(await sendPicture(customer, mediaId)).toMatchObject({ delivery: "sent" });
      expect(uploads(), `after ${days} days`).toBe(count);
    }
  });

  it("A file that was sent through the WhatsApp Cloud API is not uploaded again for later recipients, even in concurrent sends", async () => {
    const people = Array.from({ length: 6 }, (_, index) => `+1415555020${index}`);
    for (const person of people) await report(customer, cloud.inbound(person, "Hi"));
    const sendToAll = (at: number) => {
      customer.world.setTime(at);
      return Promise.all(people.map((to) => customer.call("POST", "/messages", { to, image: { media_id: mediaId } })));
    };
    await sendPicture(customer, mediaId);
    await sendToAll(Date.now() + 1000);
    expect([uploads(), cloud.handed.length]).toEqual([1, 7]);
  });

  const failures: [string, () => Reply, object][] = [
    [
      "refuses it",
      () => graphError(131053, "Media upload error", 400, "Bad image."),
      { delivery: "failed", error: { code: "media_invalid", provider_code: "131053" } },
    ],
    ["is busy", () => graphError(130429, "Rate limit hit", 429), { delivery: "sent", error: null }],
    ["fails", () => new Response("Bad gateway", { status: 502 }), { delivery: "sent", error: null }],
    ["loses the answer", () => "lost", { delivery: "sent", error: null }],
    ["answers a page", () => new Response("<html>OK", { status: 200 }), { delivery: "sent", error: null }],
  ];

  it.each(failures)(
    "A message with a file is sent through the WhatsApp Cloud API at most once if the provider %s during the upload",
    async (_, reply, end) => {
      cloud.files.refusals.push(reply);
      const message = await sendPicture(customer, mediaId, 60_000);
      expect(message).toMatchObject(end);
      const isSent = message.delivery === "sent";
      expect([cloud.handed.length, uploads()]).toEqual(isSent ? [1, 2] : [0, 1]);
      if (isSent) expect([...cloud.files.uploads.values()]).toMatchObject([{ bytes }]);
    },
  );

  it("A message through the WhatsApp Cloud API fails if its file was deleted before the send", async () => {
    cloud.files.refusals.push(() => graphError(130429, "Rate limit hit", 429));
    const { id } = await sendPicture(customer, mediaId);
    await customer.call("DELETE", `/media/${mediaId}`);
    await customer.world.settle();
    expect(await customer.message(id)).toMatchObject({ delivery: "failed", error: { code: "media_invalid" } });
    expect(cloud.handed).toEqual([]);
  });
});

describe("Files fetched by WAHA", () => {
  async function linkGiven() {
    const waha = new WahaStandIn();
    playProvider(waha);
    const customer = await linkedCustomer(waha);
    const bytes = newPicture();
    const { id } = await storeFile(customer, bytes, "image/jpeg");
    expect(await sendPicture(customer, id)).toMatchObject({ delivery: "sent" });
    const { origin, pathname } = new URL(waha.handed[0]?.request.file.url);
    expect(origin).toBe("https://tidings.test");
    return { customer, bytes, id, waha, pathname };
  }

  it("A file that WAHA fetches is available at its link for an hour", async () => {
    const { customer, bytes, pathname } = await linkGiven();
    const { world } = customer;
    expect(await readBytes(world, pathname)).toMatchObject({ status: 200, bytes });
    world.advance(3_599_000);
    expect(await readBytes(world, pathname)).toMatchObject({ status: 200 });
    world.advance(1000);
    expect(await readBytes(world, pathname)).toMatchObject({ status: 404 });
  });

  it("A file that WAHA fetches is not available at a changed link or at a link of another workspace", async () => {
    const { customer, id, pathname } = await linkGiven();
    const { world } = customer;
    const [shard = "", workspaceId = "", mediaId = "", until = "", sum = ""] = pathname
      .replace("/media/", "")
      .split(".");
    const stranger = await world.customer();
    const ctx = await contextOf(stranger);
    const own = { shard: ctx.workspace.shard, workspaceId: stranger.workspaceId, mediaId: id };
    for (const path of [
      `/media/${[shard, workspaceId, mediaId, Number(until) + 1, sum].join(".")}`,
      `/media/${[shard, stranger.workspaceId, mediaId, until, sum].join(".")}`,
      `/media/${[shard, workspaceId, "med_other", until, sum].join(".")}`,
      `/media/${[shard, workspaceId, mediaId, until].join(".")}`,
      await mediaLinkPath(own, Date.now() + 1000, ctx.keySecret),
    ])
      expect(await readBytes(world, path), path).toMatchObject({ status: 404 });
  });

  it("A file that WAHA fetches gets a new link for each attempt", async () => {
    const waha = new WahaStandIn();
    playProvider(waha);
    const customer = await linkedCustomer(waha);
    const { id } = await storeFile(customer, newPicture(), "image/jpeg");
    waha.next(waha.failures.busy);
    expect(await sendPicture(customer, id, 60_000)).toMatchObject({ delivery: "sent" });
    const links = waha.requests.flatMap(({ path, body }) =>
      path === "/api/sendImage" ? [JSON.parse(body).file.url] : [],
    );
    expect(new Set(links).size).toBe(2);
  });
});
