// The calls that the HTTP bench times, and their workspace.
import { z } from "zod";
import { Client } from "../client.ts";
import type { Deployed } from "../deployed.ts";
import type { Call } from "./load.ts";
import type { RecordableCall } from "./record.ts";

const PEOPLE = 20_000;
const PEOPLE_A_CALL = 500;
const CONVERSATIONS = 100;
/** More messages than one page contains. */
const HISTORY = 30;
const PAGES_DEEP = 50;
/** Each key may make 500 requests per second on average. */
const KEYS = 8;
const RATE_LIMIT = { requests: 10_000, window_seconds: 20 };

const made = z.object({ id: z.string() });
const page = z.object({ next_cursor: z.string() });
const accepted = z.object({ contact_id: z.string(), conversation_id: z.string() });

const NAMES = ["Ana", "Bruno", "Carla", "Davi", "Élodie", "Fatma", "Giulia", "Hans", "Inês", "João"];
const TAGS = ["VIP", "Retail", "Newsletter", "Berlin", "Wholesale"];

/** For numbers that end in 0004, the sandbox reports no statuses. So the cost contains only the send. */
const phoneOf = (index: number) => `+4915${String(index).padStart(7, "0")}0004`;

const personOf = (index: number) => ({
  phone: phoneOf(index),
  name: `${NAMES[index % 10]} Person${index}`,
  email: `person${index}@example.com`,
  tags: TAGS.filter((_, tag) => index % (tag + 2) === 0),
});

/** A call of the product, and its budget of CPU as a multiple of its base. */
export interface ProductCall extends RecordableCall {
  name: string;
  budget: number;
}

export interface FloorCall {
  name: string;
  next(): Call;
}

/**
 * Routing, validation, the key's limit, the log of requests and JSON take 0.1 to 0.2 ms of CPU, and the base of a short
 * read takes 0.6 ms. The SQL of a write has 16 to 40 KB of text, whose parts take 0.3 to 0.8 ms. The figures of two runs
 * differ by up to a sixth.
 */
const BUDGETS = { authenticated: 2.6, read: 1.9, write: 2.2 };

const readCall = (name: string, next: () => Call): ProductCall => ({
  name,
  budget: BUDGETS.read,
  next,
  isWrite: false,
});
const writeCall = (name: string, next: () => Call): ProductCall => ({
  name,
  budget: BUDGETS.write,
  next,
  isWrite: true,
});

export const LIST = "list 20 contacts with tags";
export const NAME_SEARCH = "search a name";

/** Makes the workspace. `authenticated` has no database. */
export async function prepareCalls({ product, floor, adminToken }: Deployed) {
  const { keys, client } = await makeWorkspace(product.href, adminToken);
  const { contact, conversation } = await makeConversations(client);
  const cursor = await readCursor(client);
  let count = 0;
  const api = (path: string, body?: object): Call => ({
    method: body === undefined ? "GET" : "POST",
    url: new URL(`/api/v1${path}`, product),
    token: keys[count++ % KEYS] ?? "",
    ...(body !== undefined && { body }),
  });
  const bare = (name: string, path: string, url = floor): FloorCall => {
    const call: Call = { method: "GET", url: new URL(path, url) };
    return { name, next: () => call };
  };
  const newPerson = () => ({ ...personOf(PEOPLE + count), tags: ["VIP"] });
  return {
    floors: {
      empty: bare("a Worker that does nothing", "/"),
      trip: bare("one bare trip", "/trip"),
      object: bare("one bare object call", "/object"),
      health: bare("GET /health", "/health", product),
    },
    authenticated: {
      ...readCall("authenticated, no database", () => api("/nothing")),
      budget: BUDGETS.authenticated,
    },
    calls: [
      readCall(LIST, () => api("/contacts?limit=20")),
      readCall(NAME_SEARCH, () => api(`/contacts?search=person${count % 1000}`)),
      readCall("search part of a phone", () => api(`/contacts?search=${1000 + (count % 1000)}000`)),
      readCall("get a contact", () => api(`/contacts/${contact}`)),
      readCall("page by cursor, deep", () => api(`/contacts?cursor=${encodeURIComponent(cursor)}`)),
      writeCall("create a contact with a tag", () => api("/contacts", newPerson())),
      writeCall("send, accepted and handed over", () =>
        api("/messages", { to: phoneOf(count % PEOPLE), text: "Hello" }),
      ),
      readCall("conversations 20", () => api("/conversations?limit=20")),
      readCall("history 20", () => api(`/conversations/${conversation}/messages?limit=20`)),
    ],
  };
}

/** A workspace of 20,000 people with a sandbox connection and several keys. */
async function makeWorkspace(url: string, adminToken: string): Promise<{ keys: string[]; client: Client }> {
  const operator = new Client(url, adminToken);
  const workspaceMade = z.object({ workspace: made });
  const { workspace } = await operator.ask(
    "POST",
    "/manage/v1/workspaces",
    { name: "Acme", plan: "scale" },
    workspaceMade,
  );
  const at = `/manage/v1/workspaces/${workspace.id}`;
  const sandbox = { name: "Sandbox", channel: "unofficial", provider: "sandbox", config: {} };
  const { connection } = await operator.ask("POST", `${at}/connections`, sandbox, z.object({ connection: made }));
  await operator.ask("PATCH", `${at}/connections/${connection.id}`, { messages_per_second: 1000 }, z.unknown());
  const key = { name: "Bench", connection_id: connection.id, rate_limit: RATE_LIMIT };
  const keys: string[] = [];
  while (keys.length < KEYS)
    keys.push((await operator.ask("POST", `${at}/api-keys`, key, z.object({ key: z.string() }))).key);
  const client = new Client(url, keys[0] ?? "");
  for (let first = 0; first < PEOPLE; first += PEOPLE_A_CALL) {
    const contacts = Array.from({ length: PEOPLE_A_CALL }, (_, index) => personOf(first + index));
    await client.ask("POST", "/api/v1/contacts/batch", { contacts }, z.unknown());
  }
  return { keys, client };
}

/** Creates conversations with many people. Returns the conversation with a history, and its contact. */
async function makeConversations(client: Client): Promise<{ contact: string; conversation: string }> {
  const send = (index: number) => client.ask("POST", "/api/v1/messages", { to: phoneOf(index), text: "Hi" }, accepted);
  for (let index = 1; index < CONVERSATIONS; index++) await send(index);
  let last = await send(0);
  for (let sent = 1; sent < HISTORY; sent++) last = await send(0);
  return { contact: last.contact_id, conversation: last.conversation_id };
}

async function readCursor(client: Client): Promise<string> {
  let path = "/api/v1/contacts?limit=100";
  let cursor = "";
  for (let read = 0; read < PAGES_DEEP; read++) {
    cursor = (await client.ask("GET", path, null, page)).next_cursor;
    path = `/api/v1/contacts?limit=100&cursor=${encodeURIComponent(cursor)}`;
  }
  return cursor;
}
