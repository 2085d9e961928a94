// Source: developers.facebook.com/documentation/business-messaging/whatsapp
import * as z from "zod";
import { constantTimeEqual, hmacSha256 } from "../../shared/security/crypto.ts";
import { ANSWER_NOT_UNDERSTOOD, callForJson } from "../answers.ts";
import { type ReadReceipt, type HttpIo, type Channel, type OpenConnection, ProviderError } from "../channel.ts";
import { cloudProviderErrorOf } from "./errors.ts";
import { parseCloudWebhook, webhookFields } from "./received/events.ts";
import { uploadCloudExample, uploadOnce } from "./uploads.ts";
import { idIn, postJson, cloudRequestTo } from "./graph.ts";
import { fetchCloudMedia } from "./received/received-media.ts";
import { sendCloudMessage } from "./sending.ts";
import {
  createCloudTemplate,
  deleteCloudTemplate,
  editCloudTemplate,
  syncCloudTemplates,
} from "./templates/template-calls.ts";

const phoneNumber = z.object({
  verified_name: z.string().nullish(),
  display_phone_number: z.string().nullish(),
  quality_rating: z.string().nullish(),
});

async function test(connection: OpenConnection, { upstream }: HttpIo) {
  const fields = "fields=verified_name,display_phone_number,quality_rating";
  const request = cloudRequestTo(connection, `${idIn(connection, "phone_number_id")}?${fields}`);
  const { data } = phoneNumber.safeParse(await callForJson(upstream, request, cloudProviderErrorOf));
  if (data === undefined) throw new ProviderError(ANSWER_NOT_UNDERSTOOD);
  const name = data.verified_name ?? "without a name";
  const quality = data.quality_rating ? `; quality ${data.quality_rating}` : "";
  return { detail: `${data.display_phone_number ?? "The number"} (${name}) is reachable${quality}.` };
}

async function markRead(connection: OpenConnection, { providerMessageId }: ReadReceipt, { upstream }: HttpIo) {
  const body = { messaging_product: "whatsapp", status: "read", message_id: providerMessageId };
  const path = `${idIn(connection, "phone_number_id")}/messages`;
  await callForJson(upstream, postJson(connection, path, body), cloudProviderErrorOf);
}

async function challenge({ config }: OpenConnection, query: Record<string, string>): Promise<string | null> {
  const expected = config["verify_token"];
  const sent = query["hub.verify_token"];
  if (query["hub.mode"] !== "subscribe" || !expected || sent === undefined) return null;
  return (await constantTimeEqual(sent, expected)) ? (query["hub.challenge"] ?? "") : null;
}

/**
 * Verifies the raw bytes. Meta signs a body in which non-ASCII characters are escaped, and these escapes would
 * be lost if the body were parsed first.
 */
async function verify({ config }: OpenConnection, bytes: Uint8Array, headers: Headers): Promise<boolean> {
  const secret = config["app_secret"];
  const signature = /^sha256=(?<hex>[0-9a-f]{64})$/i.exec(headers.get("X-Hub-Signature-256") ?? "")?.groups?.["hex"];
  if (!secret || signature === undefined) return false;
  return constantTimeEqual(signature.toLowerCase(), (await hmacSha256(secret, bytes)).toHex());
}

export const whatsappCloud: Channel = {
  send: sendCloudMessage,
  test,
  syncTemplates: syncCloudTemplates,
  createTemplate: createCloudTemplate,
  editTemplate: editCloudTemplate,
  deleteTemplate: deleteCloudTemplate,
  uploadExample: uploadCloudExample,
  exampleSetting: "app_id",
  uploadMedia: uploadOnce,
  fetchMedia: fetchCloudMedia,
  markRead,
  webhook: {
    secrets: ["app_secret", "verify_token"],
    events: webhookFields,
    challenge,
    verify,
    parse: parseCloudWebhook,
  },
};
