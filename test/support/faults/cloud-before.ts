// Messages go to a stand-in for WhatsApp's API first. If it accepts a message, the sandbox sends it too.
import { onTestFinished } from "vitest";
import type { Channel, OpenConnection } from "../../../src/channels/channel.ts";
import { sandbox } from "../../../src/channels/sandbox/sandbox.ts";
import { whatsappCloud } from "../../../src/channels/whatsapp-cloud/whatsapp-cloud.ts";
import { fileOf, heads, storeFile } from "../media.ts";
import { orderUpdate, providerHolds } from "../provider.ts";
import { CloudStandIn } from "../providers/cloud.ts";
import { playProvider, UPSTREAM } from "../providers/linked.ts";
import { findExternalTemplate } from "../templates.ts";
import type { Customer } from "../world.ts";

export function playCloudBefore(): { cloud: CloudStandIn; send: Channel["send"] } {
  const cloud = new CloudStandIn();
  playProvider(cloud);
  const through = ({ id }: OpenConnection) => ({ id, config: cloud.config(UPSTREAM) });
  const hand = sandbox.send.bind(sandbox);
  const { uploadMedia } = whatsappCloud;
  if (uploadMedia === undefined) throw new Error("This channel uploads nothing.");
  sandbox.uploadMedia = (connection, file, io) => uploadMedia(through(connection), file, io);
  onTestFinished(() => {
    delete sandbox.uploadMedia;
  });
  return {
    cloud,
    async send(connection, message, io) {
      const outcome = await whatsappCloud.send(through(connection), message, io);
      return outcome.kind === "accepted" ? hand(connection, message, io) : outcome;
    },
  };
}

export async function pictureCampaign(customer: Customer) {
  const header = { type: "HEADER", format: "IMAGE", example: { header_handle: ["4::aW"] } };
  providerHolds({ ...orderUpdate, components: [header, { type: "BODY", text: "Hello {{1}}" }] });
  await customer.manage("POST", `/connections/${customer.connectionId}/sync-templates`);
  const { id: media_id } = await storeFile(customer, fileOf(heads["image/jpeg"], 50_000), "image/jpeg");
  const template_id = await findExternalTemplate(customer, orderUpdate.name);
  return { template_id, channel: "official", header: { media_id }, variables: ["{{name}}"] };
}
