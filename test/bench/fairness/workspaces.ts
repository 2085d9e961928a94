// The workspaces of the fairness bench: one that works as much as possible, and its neighbour.
import { z } from "zod";
import type { Deployed } from "../deployed.ts";

/** Each key may make 500 requests per second on average. */
const KEYS = 4;
const RATE_LIMIT = { requests: 10_000, window_seconds: 20 };
const PER_BATCH = 500;
const PASSWORD = "correct horse battery";

const NAMES = ["Ana", "Bruno", "Carla", "Davi", "Élodie", "Fatma", "Giulia", "Hans", "Inês", "João"];
const SURNAMES = ["Silva", "Santos", "Müller", "Schmidt", "García", "Rossi", "Novák", "Okafor", "Tanaka", "Costa"];
const TAGS = ["VIP", "Retail", "Newsletter", "Berlin", "Wholesale"];

export const personOf = (index: number) => ({
  phone: `+4915${String(index).padStart(8, "0")}`,
  name: `${NAMES[index % 10]} ${SURNAMES[Math.floor(index / 10) % 10]} ${index}`,
  email: `person${index}@example.com`,
  source: index % 2 === 0 ? "shop" : "fair",
  tags: TAGS.filter((_, tag) => index % (tag + 2) === 0),
});

export type Person = ReturnType<typeof personOf>;

export interface Sent {
  status: number;
  text: string;
}

const made = z.object({ id: z.string() });

export class Workspace {
  #made = 0;
  #called = 0;
  #cookies = "";
  #csrf = "";

  private readonly origin: string;
  private readonly keys: string[];
  private readonly adminToken: string;
  readonly id: string;

  private constructor({ product, adminToken }: Deployed, id: string, keys: string[]) {
    this.origin = product.origin;
    this.adminToken = adminToken;
    this.id = id;
    this.keys = keys;
  }

  static async create(deployed: Deployed): Promise<Workspace> {
    const { product, adminToken } = deployed;
    const manage = async <T>(path: string, body: object, shape: z.ZodType<T>): Promise<T> => {
      const answer = await send(product.origin, "POST", `/manage/v1/workspaces${path}`, { token: adminToken, body });
      return shape.parse(JSON.parse(answer.text));
    };
    const { workspace } = await manage("", { name: "Acme", plan: "scale" }, z.object({ workspace: made }));
    const sandbox = { name: "Sandbox", channel: "unofficial", provider: "sandbox", config: {} };
    const { connection } = await manage(`/${workspace.id}/connections`, sandbox, z.object({ connection: made }));
    const wanted = { name: "Bench", connection_id: connection.id, rate_limit: RATE_LIMIT };
    const keys: string[] = [];
    while (keys.length < KEYS)
      keys.push((await manage(`/${workspace.id}/api-keys`, wanted, z.object({ key: z.string() }))).key);
    return new Workspace(deployed, workspace.id, keys);
  }

  call(method: "GET" | "POST", path: string, body?: object): Promise<Sent> {
    const token = this.keys[this.#called++ % KEYS] ?? "";
    return send(this.origin, method, path === "/mcp" ? path : `/api/v1${path}`, { token, body });
  }

  /** Throws unless the response is a success of this shape. */
  async read<T>(method: "GET" | "POST", path: string, shape: z.ZodType<T>, body?: object): Promise<T> {
    const { status, text } = await this.call(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`);
    return shape.parse(JSON.parse(text));
  }

  newPeople(count = PER_BATCH): Person[] {
    return Array.from({ length: count }, () => personOf(this.#made++));
  }

  async fill(count: number): Promise<void> {
    while (this.#made < count) await this.read("POST", "/contacts/batch", z.unknown(), { contacts: this.newPeople() });
  }

  /** Signs an administrator in. */
  async signIn(): Promise<void> {
    const invitation = await send(this.origin, "POST", `/manage/v1/workspaces/${this.id}/invitations`, {
      token: this.adminToken,
      body: { email: `${crypto.randomUUID()}@example.com`, role: "admin" },
    });
    const invited = z.object({ invitation: z.object({ url: z.string() }) }).parse(JSON.parse(invitation.text));
    const secret = new URL(invited.invitation.url).hash.slice(1);
    const form = new URLSearchParams({ secret, name: "Ada", password: PASSWORD });
    const headers = { Origin: this.origin, "Sec-Fetch-Site": "same-origin" };
    const url = new URL("/console/invitations/sign-up", this.origin);
    const accepted = await fetch(url, { method: "POST", body: form, headers, redirect: "manual" });
    this.#cookies = accepted.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    const { text } = await this.page("GET", "/contacts");
    this.#csrf = /name="csrf-token" content="(?<token>[^"]*)"/.exec(text)?.groups?.["token"] ?? "";
  }

  page(method: "GET" | "POST", path: string, body?: object): Promise<Sent> {
    const headers = { Cookie: this.#cookies, "X-CSRF-Token": this.#csrf, "Sec-Fetch-Site": "same-origin" };
    return send(this.origin, method, `/console/${this.id}${path}`, { body, headers });
  }
}

async function send(
  origin: string,
  method: string,
  path: string,
  { token, body, headers }: { token?: string; body?: object | undefined; headers?: Record<string, string> },
): Promise<Sent> {
  const response = await fetch(new URL(path, origin), {
    method,
    headers: {
      Accept: "application/json, text/event-stream",
      "Content-Type": "application/json",
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
    redirect: "manual",
  });
  return { status: response.status, text: await response.text() };
}
