// Providers played by the test, in their own wire format. Runs in workerd, behind `fetch`, and in Node, behind a socket.
import type { ManageConnectionsCreateRequest, Provider } from "../../../sdk/src/generated/types.ts";

/** What a request came to at the provider: an answer, or none although it was taken: a connection that breaks, or that stays open. */
export type Reply = Response | "lost" | "silent";

export interface Handed {
  /** The provider's id of the message. */
  providerMessageId: string;
  to: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into requests of every shape
  request: any;
}

/** With values for the fields that are there, as what is stored has them. */
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

/** What all played providers have in common. */
export abstract class StandIn {
  /** Messages that were taken, whatever was answered. */
  readonly handed: Handed[] = [];
  /** Every request as it came. */
  readonly requests: { method: string; path: string; headers: Headers; body: string }[] = [];
  /** What was wrong with requests that the provider's reference does not have. */
  readonly faults: unknown[] = [];
  private readonly replies: (() => Reply)[] = [];
  protected count = 0;

  abstract readonly provider: Provider;
  abstract readonly channel: "official" | "unofficial";
  /** The settings of a connection to it. */
  abstract config(base: string): Given<Exclude<ManageConnectionsCreateRequest, { provider: "sandbox" }>["config"]>;
  /** A connection to it, as it is created. */
  abstract connection(base: string): ManageConnectionsCreateRequest;
  abstract inbound(from: string, text: string, name?: string): Promise<Delivery>;
  abstract status(message: Handed, messageId: string, status: Status): Promise<Delivery>;
  protected abstract answer(
    request: Request,
    path: string,
    body: string,
    bytes: Uint8Array<ArrayBuffer>,
  ): Reply | Promise<Reply>;

  /** Answers of the provider to common failures. */
  abstract readonly failures: Record<"permanent" | "expired" | "busy" | "broken" | "redirect", () => Reply>;

  /** Replies to the next send in this way, in place of taking it. */
  next(...replies: (() => Reply)[]): void {
    this.replies.push(...replies);
  }

  /** Takes the next send, and the answer is lost on its way. */
  loseNext(): void {
    this.replies.push(() => "lost");
  }

  /** Stands before the provider and answers everything in its place, while set; nothing gets through. */
  gateway: (() => Reply) | null = null;
  /** Answers every send in this way, while set, in place of taking it. */
  everySend: (() => Reply) | null = null;

  /** Whether a reply was ordered for this send; without an answer it is still taken. */
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
