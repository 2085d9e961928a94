import { type Delivery, type Handed, hmacHex, json, type Reply, StandIn, type Status } from "./stand-in.ts";

const seconds = () => String(Math.floor(Date.now() / 1000));

/** An error as the Graph API answers it. */
export const graphError = (code: number, message: string, status = 400, details?: string): Reply =>
  json(
    {
      error: {
        message: `(#${code}) ${message}`,
        type: "OAuthException",
        code,
        ...(details !== undefined && { error_data: { messaging_product: "whatsapp", details } }),
        fbtrace_id: "AQ7dPNRNeTTWYvmYWVrqVUJ",
      },
    },
    status,
  );

/** Meta's signing escapes what is not ASCII first. */
export const escaped = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Meta's WhatsApp Cloud API. */
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
  templates: object[] = [];
  /** Whether answers to sends tell the person's user id, `US.` and the number. */
  tellsUserIds = false;

  readonly troubles = {
    permanent: () => graphError(131026, "Message undeliverable", 400, "Message Undeliverable."),
    expired: () => graphError(190, "Error validating access token: Session has expired", 401),
    busy: () => graphError(130429, "Rate limit hit", 429),
    broken: () => graphError(131000, "Something went wrong", 500),
    redirect: () => new Response(null, { status: 302, headers: { Location: "http://127.0.0.1:9/elsewhere" } }),
  };

  config(base: string): Record<string, string> {
    return { ...this.settings, api_base: base, api_version: "v24.0" };
  }

  protected answer(request: Request, path: string, body: string): Reply {
    if (request.headers.get("Authorization") !== `Bearer ${this.settings.access_token}`)
      return graphError(190, "Invalid OAuth access token", 401);
    const { phone_number_id: phone, business_account_id: account } = this.settings;
    if (request.method === "POST" && path === `/v24.0/${phone}/messages`) return this.send(body);
    if (path.startsWith(`/v24.0/${phone}?`)) {
      return json({
        verified_name: "Acme",
        display_phone_number: "+1 555 078 3881",
        quality_rating: "GREEN",
        id: phone,
      });
    }
    if (path.startsWith(`/v24.0/${account}/message_templates?`)) return this.list(path);
    return graphError(100, `Unsupported ${request.method.toLowerCase()} request`, 404);
  }

  private send(body: string): Reply {
    const request = JSON.parse(body);
    const take = () => {
      const providerMessageId = `wamid.HBgL${++this.count}`;
      this.handed.push({ providerMessageId, to: request.to ?? request.recipient, request });
      return providerMessageId;
    };
    const reply = this.ordered(take);
    if (reply !== null) return reply;
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

  private list(path: string): Reply {
    const query = new URL(path, "http://graph").searchParams;
    const [limit, start] = [2, Number(query.get("after") ?? 0)];
    const isLast = start + limit >= this.templates.length;
    return json({
      data: this.templates.slice(start, start + limit),
      paging: {
        cursors: { before: String(start), after: String(start + limit) },
        ...(!isLast && { next: `https://elsewhere.test/stolen?access_token=x&after=${start + limit}` }),
      },
    });
  }

  /** A delivery of changes, signed as Meta signs it. */
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

  /** A change of the field `messages`. */
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
