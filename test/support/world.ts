import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { env as bindings } from "cloudflare:workers";
import { vi } from "vitest";
import worker from "../../src/index.ts";
import type { Role } from "../../src/shared/access/actor.ts";
import { HeldAlarms, isDueAtOnce } from "./alarms.ts";
import { checkShape } from "./answer-shapes.ts";
import { HeldQueues } from "./queues.ts";
import { type CustomerOptions, seedCustomer, seedMember } from "./seed.ts";
import { PASSWORD, Visitor } from "./visitor.ts";

export interface Answer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  body: any;
}

interface Ask {
  token?: string | null;
  headers?: Record<string, string>;
  raw?: BodyInit;
  /** Aborting this signal simulates a caller that disconnects. */
  signal?: AbortSignal;
}

/**
 * D1, KV and Durable Objects are real. The test controls queues and clock. `overrides` replaces bindings to
 * simulate failures.
 */
export class World {
  readonly alarms = new HeldAlarms(() => this.env);
  readonly env: Env;

  constructor(
    overrides: Partial<Env> = {},
    readonly queues = new HeldQueues(),
  ) {
    this.env = {
      ...bindings,
      CONNECTION_PACER: this.alarms.binding(bindings.CONNECTION_PACER, ["run"]),
      CAMPAIGN_CLOCK: this.alarms.binding(bindings.CAMPAIGN_CLOCK, ["set"]),
      WEBHOOK_SENDER: this.alarms.binding(bindings.WEBHOOK_SENDER, [
        "wake",
        "refresh",
        "ensureRunning",
        "retry",
        "replay",
      ]),
      LIVE_UPDATES: this.alarms.binding(bindings.LIVE_UPDATES, ["fetch", "wake", "checkViewers"]),
      STATUS_INBOX: this.alarms.binding(bindings.STATUS_INBOX, ["accept"]),
      DIRECT_QUEUE: this.queues.binding("tidings-direct"),
      CAMPAIGN_QUEUE: this.queues.binding("tidings-campaign"),
      EXPAND_QUEUE: this.queues.binding("tidings-expand"),
      EVENTS_QUEUE: this.queues.binding("tidings-events"),
      STATUSES_QUEUE: this.queues.binding("tidings-statuses"),
      USAGE_QUEUE: this.queues.binding("tidings-usage"),
      MEDIA_QUEUE: this.queues.binding("tidings-media"),
      JOBS_QUEUE: this.queues.binding("tidings-jobs"),
      ...overrides,
    };
  }

  async request(
    method: string,
    path: string,
    body?: unknown,
    { token, headers = {}, raw, signal }: Ask = {},
  ): Promise<Answer> {
    const sent = raw ?? (body === undefined ? null : JSON.stringify(body));
    const request = new Request(`http://tidings.test${path}`, {
      method,
      headers: {
        ...(sent !== null && { "Content-Type": "application/json" }),
        ...(token !== null && token !== undefined && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: sent,
      signal: signal ?? null,
    });
    const ctx = createExecutionContext();
    const response = await worker.fetch(request, this.env, ctx);
    const text = await response.text();
    await waitOnExecutionContext(ctx);
    const isJson = response.headers.get("Content-Type")?.includes("json") === true && text !== "";
    const answer = { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    if (isJson) checkShape(method, path, answer);
    return answer;
  }

  async secure(path: string, init: RequestInit): Promise<Response> {
    return worker.fetch(new Request(`https://tidings.test${path}`, init), this.env, createExecutionContext());
  }

  manage(method: string, path: string, body?: unknown, ask: Ask = {}): Promise<Answer> {
    return this.request(method, `/manage/v1${path}`, body, { token: this.env.ADMIN_TOKEN, ...ask });
  }

  /** Inserts the rows directly. If `key` contains options for the API key, everything is created over HTTP instead. */
  async customer({ key, ...options }: CustomerOptions & { key?: object } = {}): Promise<Customer> {
    if (key !== undefined) return this.createCustomer({ ...options, key });
    const made = await seedCustomer(this.env, options);
    return new Customer(this, made.workspaceId, made.connectionId, made.keyId, made.key);
  }

  async createCustomer({ plan = "growth", channel = "unofficial", key = {} }: CustomerOptions & { key?: object } = {}) {
    const workspace = (await this.manage("POST", "/workspaces", { name: "Acme", plan })).body.workspace;
    const at = `/workspaces/${workspace.id}`;
    const connection = (
      await this.manage("POST", `${at}/connections`, { name: "Sandbox", channel, provider: "sandbox", config: {} })
    ).body.connection;
    const created = await this.manage("POST", `${at}/api-keys`, { name: "Test", connection_id: connection.id, ...key });
    return new Customer(this, workspace.id, connection.id, created.body.api_key?.id, created.body.key);
  }

  /**
   * Runs due alarms and delivers each due message `copies` times. Moves the clock forward until nothing else is due
   * in the first `withinMs` after the call.
   */
  async settle({ copies = 1, withinMs = 15 * 60_000 }: { copies?: number; withinMs?: number } = {}): Promise<void> {
    const end = Date.now() + withinMs;
    for (;;) {
      const alarms = await this.alarms.list();
      const next = Math.min(this.queues.nextDueAt() ?? Infinity, ...alarms.map(({ at }) => at));
      if (next > end && !isDueAtOnce(next)) return;
      this.setTime(Math.max(Date.now(), next));
      await this.alarms.ringDue(alarms);
      await this.queues.deliverDue(this.env, copies);
    }
  }

  async cron(): Promise<void> {
    const ctx = createExecutionContext();
    await worker.scheduled(createScheduledController({ cron: "* * * * *" }), this.env, ctx);
    await waitOnExecutionContext(ctx);
  }

  setTime(at: number): void {
    vi.setSystemTime(at);
  }

  advance(ms: number): void {
    vi.setSystemTime(Date.now() + ms);
  }
}

export const secretIn = (url: string): string => new URL(url).hash.slice(1);

export class Customer {
  constructor(
    readonly world: World,
    readonly workspaceId: string,
    readonly connectionId: string,
    readonly keyId: string,
    readonly key: string,
  ) {}

  call(method: string, path: string, body?: unknown, ask: Ask = {}): Promise<Answer> {
    return this.world.request(method, `/api/v1${path}`, body, { token: this.key, ...ask });
  }

  manage(method: string, path: string, body?: unknown, ask: Ask = {}): Promise<Answer> {
    return this.world.manage(method, `/workspaces/${this.workspaceId}${path}`, body, ask);
  }

  async invite(email: string, role: string): Promise<string> {
    const { invitation } = (await this.manage("POST", "/invitations", { email, role })).body;
    return secretIn(invitation.url);
  }

  async resetLink(userId: string): Promise<string> {
    return secretIn((await this.manage("POST", `/members/${userId}/reset-link`)).body.reset_link.url);
  }

  /** Signs up with an invitation, so that the visitor has the cookie of a known device. `member` does not set it. */
  async invitedMember(role: Role, name = "Ada"): Promise<Visitor> {
    const visitor = new Visitor(this.world);
    await visitor.signUp(await this.invite(visitor.email, role), PASSWORD, name);
    const members: Answer["body"][] = (await this.manage("GET", "/members")).body.members;
    visitor.userId = members.find(({ email }) => email === visitor.email).id;
    await visitor.get("/console/workspaces");
    return visitor;
  }

  async member(role: Role, name = "Ada"): Promise<Visitor> {
    const visitor = new Visitor(this.world);
    const { email } = visitor;
    const made = await seedMember(this.world.env, { workspaceId: this.workspaceId, email, role, name });
    visitor.cookies.set("tidings", made.cookie);
    visitor.userId = made.userId;
    visitor.token = made.token;
    return visitor;
  }

  send(to: string, text = "Hello", ask: Ask = {}): Promise<Answer> {
    return this.call("POST", "/messages", { to, text }, ask);
  }

  async receive(from: string, text: string, name?: string): Promise<string> {
    const answer = await this.manage("POST", `/connections/${this.connectionId}/simulate`, {
      from,
      text,
      ...(name && { name }),
    });
    await this.world.queues.deliverDue(this.world.env);
    return answer.body.message_id;
  }

  async message(id: string): Promise<Answer["body"]> {
    return (await this.call("GET", `/messages/${id}`)).body.message;
  }

  async outbox(query = ""): Promise<Answer["body"][]> {
    return (await this.manage("GET", `/connections/${this.connectionId}/outbox${query}`)).body.deliveries;
  }
}

let numbers = 0;

export const phoneEnding = (ending: string): string => `+1415${String(numbers++ % 1000).padStart(3, "0")}${ending}`;
