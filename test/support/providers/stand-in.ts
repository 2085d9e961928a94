// Simulated providers with their own wire format. They run in workerd behind `fetch`, and in Node behind a socket.
import type { ManageConnectionsCreateRequest, Provider } from "../../../sdk/src/generated/types.ts";

/**
 * The provider's response. "lost" accepts the request and breaks the connection, and "silent" accepts it and
 * leaves the connection open.
 */
export type Reply = Response | "lost" | "silent";

export interface Handed {
  /** The provider's id of the message. */
  providerMessageId: string;
  to: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into requests of every shape
  request: any;
}

/** Names of fields whose value is a text. */
type IfText<Value, Name> = Exclude<Value, undefined> extends string ? Name : never;
type Given<Config> = Config extends unknown
  ? { [Field in keyof Config as IfText<Config[Field], Field>]: Exclude<Config[Field], undefined> }
  : never;

export interface Delivery {
  body: string;
  headers: Record<string, string>;
}

export type Status = "sent" | "delivered" | "read" | "failed";

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers });

const encoder = new TextEncoder();

export async function hmacHex(hash: "SHA-256" | "SHA-512", secret: string, body: string): Promise<string> {
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash }, false, ["sign"]);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(body)));
  return Array.from(signature, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export abstract class StandIn {
  /** Accepted messages, regardless of the response. */
  readonly handed: Handed[] = [];
  /** All requests, unchanged. */
  readonly requests: { method: string; path: string; headers: Headers; body: string }[] = [];
  /** Errors in requests that are not in the provider's reference. */
  readonly faults: unknown[] = [];
  private readonly replies: (() => Reply)[] = [];
  protected count = 0;

  abstract readonly provider: Provider;
  abstract readonly channel: "official" | "unofficial";
  /** The settings of a connection to the simulated provider. */
  abstract config(base: string): Given<Exclude<ManageConnectionsCreateRequest, { provider: "sandbox" }>["config"]>;
  /** The body that creates a connection to the simulated provider. */
  abstract connection(base: string): ManageConnectionsCreateRequest;
  abstract inbound(from: string, text: string, name?: string): Promise<Delivery>;
  abstract status(message: Handed, messageId: string, status: Status): Promise<Delivery>;
  protected abstract answer(
    request: Request,
    path: string,
    body: string,
    bytes: Uint8Array<ArrayBuffer>,
  ): Reply | Promise<Reply>;

  /** The provider's responses to common failures. */
  abstract readonly failures: Record<"permanent" | "expired" | "busy" | "broken" | "redirect", () => Reply>;

  /** Sets the replies to the next sends, which are not accepted. */
  next(...replies: (() => Reply)[]): void {
    this.replies.push(...replies);
  }

  /** Accepts the next send, and loses the response. */
  loseNext(): void {
    this.replies.push(() => "lost");
  }

  /**
   * Simulates a gateway in front of the provider. While set, the gateway replies, and the provider receives nothing.
   */
  gateway: (() => Reply) | null = null;
  /** While set, replies to every send, and no send is accepted. */
  everySend: (() => Reply) | null = null;

  /** Returns the reply that the test set for this send. A send without a response is still accepted. */
  protected ordered(take: () => void): Reply | null {
    const reply = (this.replies.shift() ?? this.everySend)?.();
    if (typeof reply === "string") take();
    return reply ?? null;
  }

  async handle(request: Request): Promise<Reply> {
    const { pathname, search } = new URL(request.url);
    const bytes = new Uint8Array(await request.arrayBuffer());
    const body = new TextDecoder().decode(bytes);
    this.requests.push({ method: request.method, path: pathname + search, headers: request.headers, body });
    return this.gateway?.() ?? this.answer(request, pathname + search, body, bytes);
  }
}
