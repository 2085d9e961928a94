import type { ManageConnectionsCreateRequest } from "../../../sdk/src/generated/types.ts";
import { type Delivery, type Handed, hmacHex, json, type Reply, StandIn, type Status } from "./stand-in.ts";
import { faultOfWahaCall, isWahaCall } from "./waha-requests.ts";

const ACKS = { failed: -1, sent: 1, delivered: 2, read: 3 };
const ACK_NAMES = { failed: "ERROR", sent: "SERVER", delivered: "DEVICE", read: "READ" };

export const chatOf = (phone: string) => `${phone.replace("+", "")}@c.us`;

export class WahaStandIn extends StandIn {
  readonly provider = "waha";
  readonly channel = "unofficial" as const;
  readonly settings = { session: "default", api_key: "waha-api-key-1234", webhook_hmac_key: "a-hmac-key-5678" };
  sessionStatus = "WORKING";
  readonly lids = new Map<string, string>();
  areLidsDown = false;
  /** Maps a number to the chat id that WAHA returns if the account has a different number. */
  readonly accounts = new Map<string, string>();
  readonly absent = new Set<string>();
  readonly checks: (() => Reply)[] = [];
  readonly files = new Map<string, { bytes: Uint8Array; mimeType: string }>();
  /** Maps a message id to the name of the file that WAHA downloads again if that message is requested. */
  readonly refetched = new Map<string, string>();
  /** Maps a message id to its reaction. A removed reaction is an empty text. */
  readonly reactions = new Map<string, string>();
  /** A test can replace this, because each engine responds differently to a reaction. */
  reactionReply: (id: string) => Reply = (id) => json({ id, fromMe: true }, 200);
  readonly seen: unknown[] = [];
  /** True if the engine does not store messages. WAHA then rejects read receipts that have no message ids. */
  hasNoStore = false;

  readonly failures = {
    permanent: () => json({ statusCode: 500, exception: { message: "No LID for user", name: "Error" } }, 500),
    expired: () => json({ message: "Unauthorized", statusCode: 401 }, 401),
    busy: () => json({ statusCode: 429, message: "Too Many Requests" }, 429),
    broken: () => json({ statusCode: 500, exception: { message: "Evaluation failed" } }, 500),
    redirect: () => new Response(null, { status: 302, headers: { Location: "http://127.0.0.1:9/elsewhere" } }),
  };

  connection(base: string): ManageConnectionsCreateRequest {
    const { provider, channel } = this;
    return { name: provider, provider, channel, config: this.config(base) };
  }

  config(base: string) {
    return { ...this.settings, base_url: base };
  }

  protected answer(request: Request, path: string, body: string): Reply {
    if (request.headers.get("X-Api-Key") !== this.settings.api_key) return this.failures.expired();
    const call = `${request.method} ${path}`;
    if (isWahaCall(call)) return this.call(call, body);
    const file = /^\/api\/files\/(?<name>[^?]+)$/.exec(path)?.groups?.["name"];
    if (file !== undefined) return this.file(decodeURIComponent(file));
    const message = /^\/api\/default\/chats\/[^/]+\/messages\/(?<id>[^/?]+)\?downloadMedia=true$/.exec(path)?.groups?.[
      "id"
    ];
    if (message !== undefined) return this.messageWithMedia(decodeURIComponent(message));
    if (path.startsWith("/api/contacts/check-exists?")) return this.check(path);
    if (path === `/api/sessions/${this.settings.session}`) {
      const me = this.sessionStatus === "WORKING" ? { id: "15550783881@c.us", pushName: "Acme" } : null;
      return json({
        name: this.settings.session,
        status: this.sessionStatus,
        config: {},
        me,
        engine: { engine: "NOWEB" },
      });
    }
    const lid = /^\/api\/default\/lids\/(?<lid>.+)$/.exec(path)?.groups?.["lid"];
    if (lid !== undefined) {
      if (this.areLidsDown) return this.failures.broken();
      const known = decodeURIComponent(lid);
      return json({ lid: known, pn: this.lids.get(known) ?? null });
    }
    return json({ message: `Cannot ${request.method} ${path}`, error: "Not Found", statusCode: 404 }, 404);
  }

  private check(path: string): Reply {
    const phone = new URL(path, "http://waha").searchParams.get("phone") ?? "";
    const order = this.checks.shift();
    if (order !== undefined) return order();
    const chatId = this.accounts.get(phone) ?? `${phone}@c.us`;
    return json(this.absent.has(phone) ? { numberExists: false } : { numberExists: true, chatId });
  }

  private file(name: string): Reply {
    const file = this.files.get(name);
    if (file === undefined) return json({ statusCode: 404, message: "File not found" }, 404);
    const headers = { "Content-Type": file.mimeType, "Content-Length": String(file.bytes.byteLength) };
    return new Response(new Blob([new Uint8Array(file.bytes)]), { headers });
  }

  private messageWithMedia(id: string): Reply {
    const name = this.refetched.get(id);
    return json({
      id,
      hasMedia: true,
      media: name === undefined ? null : { url: `http://localhost:3000/api/files/${name}` },
    });
  }

  private call(call: string, body: string): Reply {
    const request = JSON.parse(body);
    const fault = faultOfWahaCall(call, request);
    if (fault !== null) return json({ statusCode: 400, message: fault }, 400);
    if (call === "POST /api/sendSeen") {
      if (this.hasNoStore && request.messageIds === undefined)
        return json({ statusCode: 400, message: "Enable NOWEB store" }, 400);
      this.seen.push(request);
      return new Response(null, { status: 201 });
    }
    return this.send(request, call === "PUT /api/reaction" ? request.messageId.split("_")[1] : request.chatId);
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- requests of every shape
  private send(request: any, chatId: string): Reply {
    if (this.sessionStatus !== "WORKING") {
      const error = "Session status is not as expected. Try again later or restart the session";
      return json({ error, session: request.session, status: this.sessionStatus, expected: ["WORKING"] }, 422);
    }
    const take = () => {
      const providerMessageId = `true_${chatId}_3EB0${String(++this.count).padStart(16, "0")}`;
      this.handed.push({ providerMessageId, to: chatId, request });
      return providerMessageId;
    };
    const reply = this.ordered(take);
    if (reply !== null) return reply;
    const id = take();
    if (request.messageId !== undefined) {
      this.reactions.set(request.messageId, request.reaction);
      return this.reactionReply(id);
    }
    const hasMedia = request.file !== undefined;
    const message = { timestamp: Math.floor(Date.now() / 1000), from: "15550783881@c.us", to: chatId };
    return json({ id, ...message, fromMe: true, body: request.text, hasMedia, ack: 0, ackName: "PENDING" }, 201);
  }

  async deliver(event: string, payload: object, envelope: object = {}): Promise<Delivery> {
    return this.sign(
      JSON.stringify({
        id: `evt_${++this.count}`,
        timestamp: Date.now(),
        session: this.settings.session,
        metadata: {},
        me: { id: "15550783881@c.us", pushName: "Acme" },
        event,
        payload,
        engine: "NOWEB",
        environment: { version: "2026.10.1", engine: "NOWEB", tier: "PLUS" },
        ...envelope,
      }),
    );
  }

  async sign(body: string): Promise<Delivery> {
    const signature = await hmacHex("SHA-512", this.settings.webhook_hmac_key, body);
    return { body, headers: { "X-Webhook-Hmac": signature, "X-Webhook-Hmac-Algorithm": "sha512" } };
  }

  message(chat: string, text: string, more: object = {}): object {
    const id = `false_${chat}_AAAA${String(++this.count).padStart(16, "0")}`;
    return {
      id,
      timestamp: Math.floor(Date.now() / 1000),
      from: chat,
      fromMe: false,
      source: "app",
      to: "15550783881@c.us",
      body: text,
      hasMedia: false,
      media: null,
      ack: 2,
      ackName: "DEVICE",
      vCards: [],
      _data: { notifyName: "Ann" },
      ...more,
    };
  }

  inbound(from: string, text: string, name = "Ann"): Promise<Delivery> {
    return this.deliver("message", this.message(chatOf(from), text, { _data: { notifyName: name } }));
  }

  own(providerMessageId: string, chat: string, text: string, source?: string): Promise<Delivery> {
    const more = { id: providerMessageId, from: "15550783881@c.us", to: chat, fromMe: true, source };
    return this.deliver("message.any", this.message(chat, text, more));
  }

  status({ providerMessageId, to }: Handed, _: string, status: Status): Promise<Delivery> {
    return this.deliver("message.ack", {
      id: providerMessageId,
      from: "15550783881@c.us",
      to,
      participant: null,
      fromMe: true,
      ack: ACKS[status],
      ackName: ACK_NAMES[status],
    });
  }
}
