import { expect } from "vitest";
import type { OutboundMessage } from "../../src/channels/channel.ts";
import { whatsappCloud } from "../../src/channels/whatsapp-cloud/whatsapp-cloud.ts";
import { MediaShelf } from "./media-shelf.ts";
import { CloudStandIn } from "./providers/cloud.ts";
import { directIo, UPSTREAM } from "./providers/linked.ts";

export const cloudConnection = { id: "conn_1", config: new CloudStandIn().config(UPSTREAM) };

const files = {
  med_1: { bytes: new Uint8Array(2500).fill(1), mimeType: "image/jpeg" },
  med_2: { bytes: new Uint8Array(10).fill(3), mimeType: "application/pdf", filename: 'a "b".pdf' },
};

export async function sendOverCloud(cloud: CloudStandIn, message: Partial<OutboundMessage>) {
  const media = new MediaShelf();
  for (const [id, file] of Object.entries(files)) await media.put(id, file);
  const whole = { id: "msg_1", to: "+16505551234", body: "A line", attempt: 1, ...message };
  const outcome = await whatsappCloud.send(cloudConnection, whole, { ...directIo(), media });
  expect(outcome).toMatchObject({ kind: "accepted" });
  return JSON.parse(cloud.requests.at(-1)?.body ?? "null");
}
