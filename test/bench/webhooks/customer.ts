import { z } from "zod";
import { type Client, makeClients } from "../client.ts";
import type { Deployed } from "../deployed.ts";

const PER_SECOND = 1000;
export const BLOCK = 500;
const tagMade = z.object({ tag: z.object({ id: z.string() }) });
const webhook = z.object({ webhook: z.object({ id: z.string(), sequence: z.number(), lag: z.number() }) });
export type Webhook = z.infer<typeof webhook>["webhook"];

export async function makeCustomer(deployed: Deployed): Promise<Client> {
  const [client] = await makeClients(deployed, { connections: 1, perSecond: PER_SECOND });
  if (client === undefined) throw new Error("There is no connection.");
  return client;
}

export const createWebhook = async (client: Client, settings: object): Promise<Webhook> =>
  (await client.ask("POST", "/api/v1/webhooks", settings, webhook)).webhook;

export const getWebhook = async (client: Client, id: string): Promise<Webhook> =>
  (await client.ask("GET", `/api/v1/webhooks/${id}`, null, webhook)).webhook;

export const tellWebhook = (client: Client, id: string, what: "pause" | "enable"): Promise<unknown> =>
  client.ask("POST", `/api/v1/webhooks/${id}/${what}`, {}, z.unknown());

export const deleteWebhook = (client: Client, id: string): Promise<unknown> =>
  client.ask("DELETE", `/api/v1/webhooks/${id}`, null, z.unknown());

/** Creates one event. Returns the id of its object. */
export const createTag = async (client: Client, name: string): Promise<string> =>
  (await client.ask("POST", "/api/v1/tags", { name }, tagMade)).tag.id;

/** Creates or renames a block of contacts. Each change creates an event. */
export async function nameContacts(client: Client, block: number, name: string): Promise<void> {
  const contacts = Array.from({ length: BLOCK }, (_, index) => ({
    phone: `+4915${String(block * BLOCK + index).padStart(7, "0")}1234`,
    name,
  }));
  await client.ask("POST", "/api/v1/contacts/batch", { contacts }, z.unknown());
}
