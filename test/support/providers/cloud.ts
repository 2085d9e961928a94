import type * as z from "zod";
import { CloudFiles } from "./cloud-files.ts";
import { marketingMessageBody, messageBody, readBody } from "./cloud-schemas.ts";
import { CloudTemplates } from "./cloud-templates.ts";
import { graphError } from "./graph-error.ts";
import type { ManageConnectionsCreateRequest } from "../../../sdk/src/generated/types.ts";
import { type Delivery, type Handed, hmacHex, json, type Reply, StandIn, type Status } from "./stand-in.ts";

const seconds = () => String(Math.floor(Date.now() / 1000));

/** Meta escapes non-ASCII characters before it signs. */
export const escaped = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

export const APP_ID = "670843887433847";

export class CloudStandIn extends StandIn {
  readonly provider = "whatsapp_cloud";
  readonly channel = "official" as const;
  readonly settings = {
    phone_number_id: "106540352242922",
    business_account_id: "102290129340398",
    access_token: "EAAG-access-token-4711",
    app_secret: "an-app-secret-0815",
    verify_token: "a-verify-token-1234",
  };
  readonly files = new CloudFiles();
  readonly catalog = new CloudTemplates();
  get templates(): object[] {
    return this.catalog.held;
  }
  set templates(templates: object[]) {
    this.catalog.held = templates;
  }
  readonly read: string[] = [];
  /** If true, responses contain the person's user id, which is `US.` and the number. */
  tellsUserIds = false;

  readonly failures = {
    permanent: () => graphError(131026, "Message undeliverable", 400, "Message Undeliverable."),
    expired: () => graphError(190, "Error validating access token: Session has expired", 401),
    busy: () => graphError(130429, "Rate limit hit", 429),
    broken: () => graphError(131000, "Something went wrong", 500),
    redirect: () => new Response(null, { status: 302, headers: { Location: "http://127.0.0.1:9/elsewhere" } }),
  };

  connection(base: string): ManageConnectionsCreateRequest {
    const { provider, channel } = this;
    return { name: provider, provider, channel, config: this.config(base) };
  }

  config(base: string) {
    return { ...this.settings, api_base: base, api_version: "v25.0" };
  }

  protected answer(
    request: Request,
    path: string,
    body: string,
    bytes: Uint8Array<ArrayBuffer>,
  ): Reply | Promise<Reply> {
    const { method, headers } = request;
    const authorization = headers.get("Authorization");
    const call = `${method} ${path.replace("/v25.0", "")}`;
    const token = this.settings.access_token;
    if (call.startsWith("POST /upload:") && authorization === `OAuth ${token}`)
      return this.catalog.take(call.slice("POST /".length), headers, bytes);
    if (authorization !== `Bearer ${token}`) return graphError(190, "Invalid OAuth access token", 401);
    const { phone_number_id: phone, business_account_id: account } = this.settings;
    if (call === `POST /${phone}/messages`) return this.post(body, messageBody);
    if (call === `POST /${phone}/marketing_messages`) return this.post(body, marketingMessageBody);
    if (call === `POST /${phone}/media`) return this.files.upload(request, bytes);
    if (call.startsWith(`GET /${phone}?`)) return this.describe();
    if (call.startsWith(`GET /${account}/message_templates?`)) return this.catalog.list(path);
    if (call === `POST /${account}/message_templates`) return this.catalog.change(() => this.catalog.create(body));
    if (call.startsWith(`DELETE /${account}/message_templates?`))
      return this.catalog.change(() => this.catalog.remove(path));
    if (call.startsWith(`POST /${APP_ID}/uploads?`)) return this.catalog.open(path);
    return this.answerOfObject(call, new URL(request.url).origin, body);
  }

  private answerOfObject(call: string, origin: string, body: string): Reply | Promise<Reply> {
    const served = /^GET \/whatsapp_business\/attachments\/\?mid=(?<id>\d+)/.exec(call)?.groups?.["id"];
    if (served !== undefined) return this.files.serve(served);
    const [, method, id = "", query = ""] = /^(GET|POST) \/(\d+)(\?.*)?$/.exec(call) ?? [];
    if (method === "POST") return this.catalog.change(() => this.catalog.edit(id, body));
    if (method === "GET" && query === "?fields=status") return this.catalog.status(id);
    if (method === "GET" && query === `?phone_number_id=${this.settings.phone_number_id}`)
      return this.files.find(id, origin);
    return graphError(100, `Unsupported ${call.split(" ", 1)[0]?.toLowerCase()} request`, 404);
  }

  private describe(): Reply {
    const id = this.settings.phone_number_id;
    return json({ verified_name: "Acme", display_phone_number: "+1 555 078 3881", quality_rating: "GREEN", id });
  }

  private post(body: string, shape: z.ZodType): Reply {
    const request = JSON.parse(body);
    if (Object.hasOwn(request, "status")) return this.mark(request);
    const take = () => {
      const providerMessageId = `wamid.HBgL${++this.count}`;
      this.handed.push({ providerMessageId, to: request.to ?? request.recipient, request });
      return providerMessageId;
    };
    const reply = this.ordered(take);
    if (reply !== null) return reply;
    const fault = this.faultOf(request, shape);
    if (fault !== null) return graphError(100, fault);
    const id = take();
    const to = String(request.to ?? request.recipient);
    return json({
      messaging_product: "whatsapp",
      contacts: [
        { input: to, wa_id: to.replace("+", ""), ...(this.tellsUserIds && { user_id: to.replace("+", "US.") }) },
      ],
      messages: [{ id }],
    });
  }

  /** Returns Meta's error, or null. A request that Meta's reference does not allow also goes to `faults`. */
  private faultOf(request: unknown, shape: z.ZodType): string | null {
    const { error } = shape.safeParse(request);
    if (error !== undefined) {
      this.faults.push(error.issues);
      return `Invalid parameter: ${JSON.stringify(error.issues)}`;
    }
    const unknown = this.files.unknownIn(request);
    return unknown && `Param ${unknown} is not a valid whatsapp business account media attachment ID`;
  }

  private mark(request: unknown): Reply {
    const { data, error } = readBody.safeParse(request);
    if (data === undefined) {
      this.faults.push(error.issues);
      return graphError(100, `Invalid parameter: ${JSON.stringify(error.issues)}`);
    }
    this.read.push(data.message_id);
    return json({ success: true });
  }

  async deliver(...changes: object[]): Promise<Delivery> {
    const id = this.settings.business_account_id;
    return this.sign(
      escaped({
        object: "whatsapp_business_account",
        entry: [{ id, time: Math.floor(Date.now() / 1000), changes }],
      }),
    );
  }

  async sign(body: string): Promise<Delivery> {
    const signature = await hmacHex("SHA-256", this.settings.app_secret, body);
    return { body, headers: { "X-Hub-Signature-256": `sha256=${signature}` } };
  }

  messages(value: object): object {
    const metadata = { display_phone_number: "15550783881", phone_number_id: this.settings.phone_number_id };
    return { field: "messages", value: { messaging_product: "whatsapp", metadata, ...value } };
  }

  message(from: string, content: object, name = "Ann"): object {
    const wa_id = from.replace("+", "");
    return this.messages({
      contacts: [{ profile: { name }, wa_id }],
      messages: [{ from: wa_id, id: `wamid.in${++this.count}`, timestamp: seconds(), ...content }],
    });
  }

  inbound(from: string, text: string, name?: string): Promise<Delivery> {
    return this.deliver(this.message(from, { type: "text", text: { body: text } }, name));
  }

  statusOf({ providerMessageId, to }: Handed, messageId: string | null, status: Status): object {
    return {
      id: providerMessageId,
      status,
      timestamp: seconds(),
      recipient_id: to.replace("+", ""),
      ...(messageId !== null && { biz_opaque_callback_data: messageId }),
      ...(status === "failed"
        ? { errors: [{ code: 131026, title: "Message undeliverable", error_data: { details: "Not on WhatsApp." } }] }
        : {
            conversation: { id: "0f0e", origin: { type: "service" } },
            pricing: { billable: false, pricing_model: "PMP", category: "service", type: "free_customer_service" },
          }),
    };
  }

  status(message: Handed, messageId: string, status: Status): Promise<Delivery> {
    return this.deliver(this.messages({ statuses: [this.statusOf(message, messageId, status)] }));
  }
}
