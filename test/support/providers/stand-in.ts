// Simulated providers use the real wire formats. They run behind `fetch` in workerd, and behind a socket in
// Node.
import type { ManageConnectionsCreateRequest, Provider } from "../../../sdk/src/generated/types.ts";

/**
 * For "lost", the provider accepts the request and the connection breaks. For "silent", it accepts the
 * request and never responds.
 */
export type Reply = Response | "lost" | "silent";

export interface Handed {
  providerMessageId: string;
  to: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into requests of every shape
  request: any;
}

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
  /** Messages that were accepted, even if the response was lost. */
  readonly handed: Handed[] = [];
  readonly requests: { method: string; path: string; headers: Headers; body: string }[] = [];
  /** Requests that the provider's reference does not allow. */
  readonly faults: unknown[] = [];
  private readonly replies: (() => Reply)[] = [];
  protected count = 0;

  abstract readonly provider: Provider;
  abstract readonly channel: "official" | "unofficial";
  abstract config(base: string): Given<Exclude<ManageConnectionsCreateRequest, { provider: "sandbox" }>["config"]>;
  abstract connection(base: string): ManageConnectionsCreateRequest;
  abstract inbound(from: string, text: string, name?: string): Promise<Delivery>;
  abstract status(message: Handed, messageId: string, status: Status): Promise<Delivery>;
  protected abstract answer(
    request: Request,
    path: string,
    body: string,
    bytes: Uint8Array<ArrayBuffer>,
  ): Reply | Promise<Reply>;

  abstract readonly failures: Record<"permanent" | "expired" | "busy" | "broken" | "redirect", () => Reply>;

  next(...replies: (() => Reply)[]): void {
    this.replies.push(...replies);
  }

  loseNext(): void {
    this.replies.push(() => "lost");
  }

  /** If this is set, a gateway in front of the provider replies, and the provider receives nothing. */
  gateway: (() => Reply) | null = null;
  /** If this is set, it is the reply to every message for which `next` did not set another one. */
  everySend: (() => Reply) | null = null;

  /** Returns the reply that the test set, or null. If it is "lost" or "silent", the message is still accepted. */
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
