// WhatsApp Cloud API. Source: developers.facebook.com/documentation/business-messaging/whatsapp
import * as z from "zod";
import { constantTimeEqual, hmacSha256 } from "../../shared/crypto.ts";
import type { UpstreamAnswer, UpstreamRequest } from "../../shared/upstream.ts";
import { callToAsk, callToSend, messageError } from "../answers.ts";
import * as lenient from "../lenient.ts";
import { idOf } from "../readable.ts";
import {
  type AskIo,
  type Channel,
  type OpenConnection,
  type OutboundMessage,
  ProviderError,
  type SendOutcome,
} from "../channel.ts";
import type { OutboundTemplate, ProviderTemplate, TemplateValue } from "../channel-templates.ts";
import { outcomeOfFailure, providerErrorOf } from "./errors.ts";
import { parseCloudWebhook, webhookFields } from "./events.ts";
import { templatePage } from "./templates.ts";

const API_BASE = "https://graph.facebook.com";
const API_VERSION = "v24.0";
const PAGE_SIZE = 100;
const MAX_PAGES = 100;

function requestTo({ config }: OpenConnection, path: string): UpstreamRequest {
  const base = (config["api_base"] ?? API_BASE).replace(/\/+$/, "");
  return {
    method: "GET",
    url: `${base}/${config["api_version"] ?? API_VERSION}/${path}`,
    headers: { Authorization: `Bearer ${config["access_token"] ?? ""}` },
  };
}

const idIn = ({ config }: OpenConnection, name: string) => encodeURIComponent(config[name] ?? "");

const textParameter = ({ name, text }: TemplateValue) => ({
  type: "text",
  ...(name !== null && { parameter_name: name }),
  text,
});

const buttonOf = ({ index, kind, text }: OutboundTemplate["buttons"][number]) => ({
  type: "button",
  sub_type: kind,
  index: String(index),
  parameters: [kind === "copy_code" ? { type: "coupon_code", coupon_code: text } : { type: "text", text }],
});

function templateOf({ name, language, header, body, buttons }: OutboundTemplate) {
  const part = (type: string, values: TemplateValue[]) =>
    values.length === 0 ? [] : [{ type, parameters: values.map(textParameter) }];
  const components = [...part("header", header), ...part("body", body), ...buttons.map(buttonOf)];
  return {
    name,
    language: { policy: "deterministic", code: language },
    ...(components.length > 0 && { components }),
  };
}

/** A person without a number is addressed by the business-scoped user id, in a field of its own. */
const bodyOf = ({ id, to, body, template }: OutboundMessage) => ({
  messaging_product: "whatsapp",
  recipient_type: "individual",
  ...(to.startsWith("+") ? { to } : { recipient: to }),
  ...(template === undefined
    ? { type: "text", text: { preview_url: false, body } }
    : { type: "template", template: templateOf(template) }),
  biz_opaque_callback_data: id,
});

const accepted = z.object({
  messages: z.tuple([z.object({ id: z.string().min(1) })], z.unknown()),
  contacts: z.array(z.object({ wa_id: lenient.lenientText, user_id: lenient.lenientText })).catch([]),
});

/** The provider's ids of the recipient. An account id that is the number as it was given says nothing. */
function userIdsIn({ to }: OutboundMessage, contacts: z.infer<typeof accepted>["contacts"]): { userIds?: string[] } {
  const [known] = contacts;
  const userIds = [known?.user_id, known?.wa_id].flatMap((id) => {
    const name = idOf(id);
    return name === null || name === to || `+${name}` === to ? [] : [name];
  });
  return userIds.length === 0 ? {} : { userIds };
}

function outcomeOf(message: OutboundMessage, answer: UpstreamAnswer): SendOutcome {
  if (answer.status < 200 || answer.status >= 300) return outcomeOfFailure(answer);
  const { data } = accepted.safeParse(answer.json);
  if (data === undefined)
    return { kind: "lost", error: messageError("provider_unreachable", "The provider's answer was not understood.") };
  const { id } = data.messages[0];
  return { kind: "accepted", providerMessageId: id, providerKey: id, ...userIdsIn(message, data.contacts) };
}

const phoneNumber = z.object({
  verified_name: z.string().nullish(),
  display_phone_number: z.string().nullish(),
  quality_rating: z.string().nullish(),
});

async function test(connection: OpenConnection, { upstream }: AskIo) {
  const fields = "fields=verified_name,display_phone_number,quality_rating";
  const request = requestTo(connection, `${idIn(connection, "phone_number_id")}?${fields}`);
  const { data } = phoneNumber.safeParse(await callToAsk(upstream, request, providerErrorOf));
  if (data === undefined) throw new ProviderError("The provider's answer was not understood.");
  const name = data.verified_name ?? "without a name";
  const quality = data.quality_rating ? `; quality ${data.quality_rating}` : "";
  return { detail: `${data.display_phone_number ?? "The number"} (${name}) is reachable${quality}.` };
}

async function syncTemplates(connection: OpenConnection, { upstream }: AskIo): Promise<ProviderTemplate[]> {
  const found: ProviderTemplate[] = [];
  const seen = new Set<string>();
  const fields = "id,name,status,category,language,parameter_format,components";
  const path = `${idIn(connection, "business_account_id")}/message_templates?fields=${fields}&limit=${PAGE_SIZE}`;
  let after = "";
  // By cursor: the `next` address that comes along is not called, since it may lead anywhere.
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const request = requestTo(connection, after === "" ? path : `${path}&after=${encodeURIComponent(after)}`);
    const page = templatePage(await callToAsk(upstream, request, providerErrorOf));
    if (page === null) throw new ProviderError("The provider's answer was not understood.");
    found.push(...page.templates);
    if (page.after === null || seen.has(page.after)) return found;
    seen.add(page.after);
    ({ after } = page);
  }
  throw new ProviderError(`The account has more than ${PAGE_SIZE * MAX_PAGES} templates.`);
}

async function challenge({ config }: OpenConnection, query: Record<string, string>): Promise<string | null> {
  const expected = config["verify_token"];
  const sent = query["hub.verify_token"];
  if (query["hub.mode"] !== "subscribe" || !expected || sent === undefined) return null;
  return (await constantTimeEqual(sent, expected)) ? (query["hub.challenge"] ?? "") : null;
}

/** The signature is over the bytes as they came: Meta escapes what is not ASCII before it signs. */
async function verify({ config }: OpenConnection, bytes: Uint8Array, headers: Headers): Promise<boolean> {
  const secret = config["app_secret"];
  const signature = /^sha256=(?<hex>[0-9a-f]{64})$/i.exec(headers.get("X-Hub-Signature-256") ?? "")?.groups?.["hex"];
  if (!secret || signature === undefined) return false;
  return constantTimeEqual(signature.toLowerCase(), (await hmacSha256(secret, bytes)).toHex());
}

/** Delivers through Meta's WhatsApp Cloud API. */
export const whatsappCloud: Channel = {
  send(connection, message, { upstream }) {
    const { url, headers } = requestTo(connection, `${idIn(connection, "phone_number_id")}/messages`);
    const body = JSON.stringify(bodyOf(message));
    const sending = { method: "POST", url, headers: { ...headers, "Content-Type": "application/json" }, body } as const;
    return callToSend(upstream, sending, (answer) => outcomeOf(message, answer));
  },
  test,
  syncTemplates,
  webhook: {
    secrets: ["app_secret", "verify_token"],
    events: webhookFields,
    challenge,
    verify,
    parse: parseCloudWebhook,
  },
};
