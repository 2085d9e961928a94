import { once } from "./every-call.ts";
import { readBytes, storeFile, uploadFile, png } from "./media.ts";
import { createMediaLibrary } from "../../src/features/media/open/open-media.ts";
import { contextOf } from "./context.ts";
import type { Customer } from "./world.ts";

export async function useMedia(customer: Customer): Promise<void> {
  const { world } = customer;
  const file = await storeFile(customer);
  await uploadFile(customer, png(), "image/png", once());
  const headers = { Authorization: `Bearer ${customer.key}`, "Content-Type": "image/jpeg" };
  await (await world.secure("/api/v1/media", { method: "POST", headers, body: png() })).text();
  await customer.call("POST", "/media", { url: "https://files.invalid/a.png" }, once());
  await customer.call("POST", "/media", { url: "http://127.0.0.1:9/a.png" });
  await world.settle();
  const { next_cursor: cursor } = (await customer.call("GET", "/media?limit=1")).body;
  await customer.call("GET", `/media?limit=1&cursor=${cursor}`);
  await customer.call("GET", `/media/${file.id}`);
  await customer.call("GET", `/media/${file.id}/content`, undefined, { headers: { Range: "bytes=0-9" } });
  const library = createMediaLibrary(await contextOf(customer));
  const opened = await library.open(file.id);
  await library.findUpload(customer.connectionId, opened);
  await library.storeUpload(customer.connectionId, opened, "4711", 1000);
  await readBytes(world, new URL(await opened.link()).pathname);
  await customer.call("DELETE", `/media/${file.id}`, undefined, once());
  world.advance(366 * 86_400_000);
  await world.cron();
  world.advance(-366 * 86_400_000);
}
