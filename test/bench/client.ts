import { type ClientRequest, request } from "node:http";
import { z } from "zod";
import type { Deployed } from "./deployed.ts";

/** Calls the API as customers do. Throws unless the response is a success. */
export class Client {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** Opens a request. The caller streams the body and the response. */
  open(method: string, path: string, headers: Record<string, string> = {}): ClientRequest {
    return request(new URL(path, this.#url), {
      method,
      headers: { ...headers, Authorization: `Bearer ${this.#token}` },
    });
  }

  async ask<T>(method: string, path: string, body: object | null, shape: z.ZodType<T>): Promise<T> {
    const response = await fetch(new URL(path, this.#url), {
      method,
      headers: { Authorization: `Bearer ${this.#token}`, "Content-Type": "application/json" },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return shape.parse(JSON.parse(text));
  }
}

const made = z.object({ id: z.string() });
const workspaceMade = z.object({ workspace: made });
const connectionMade = z.object({ connection: made });
const keyMade = z.object({ key: z.string() });

/** Creates a workspace. Returns one client per connection, each with its own key. */
export async function makeClients(
  { product, adminToken }: Deployed,
  { connections, perSecond }: { connections: number; perSecond: number },
): Promise<Client[]> {
  const operator = new Client(product.href, adminToken);
  const at = "/manage/v1/workspaces";
  const { workspace } = await operator.ask("POST", at, { name: "Acme", plan: "scale" }, workspaceMade);
  const clients: Client[] = [];
  for (let index = 0; index < connections; index++) {
    const sandbox = { name: `Sandbox ${index}`, channel: "unofficial", provider: "sandbox", config: {} };
    const own = `${at}/${workspace.id}`;
    const { connection } = await operator.ask("POST", `${own}/connections`, sandbox, connectionMade);
    const rate = { messages_per_second: perSecond };
    await operator.ask("PATCH", `${own}/connections/${connection.id}`, rate, z.unknown());
    const key = { name: "Bench", connection_id: connection.id, rate_limit: { requests: 10_000, window_seconds: 20 } };
    const { key: token } = await operator.ask("POST", `${own}/api-keys`, key, keyMade);
    clients.push(new Client(product.href, token));
  }
  return clients;
}
