import { phoneKey } from "../../src/shared/text/phone.ts";
import { onShard } from "./storage.ts";
import { createTemplate } from "./templates.ts";
import { type Answer, type Customer, World } from "./world.ts";

interface Start {
  body?: string;
  template_id?: string;
  [field: string]: unknown;
}

export async function campaignOf(customer: Customer, { body, ...fields }: Start = {}): Promise<object> {
  const text = body ?? (Array.isArray(fields["variables"]) ? "Hello {{1}}" : "Hello {{name}}");
  const template_id = fields.template_id ?? (await createTemplate(customer, text));
  return { template_id, channel: "unofficial", ...fields };
}

export const startCampaign = async (customer: Customer, fields: Start = {}): Promise<Answer> =>
  customer.call("POST", "/campaigns", await campaignOf(customer, fields));

export async function started(customer: Customer, fields: Start = {}): Promise<string> {
  const { status, body } = await startCampaign(customer, fields);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.campaign_id;
}

export const campaign = async (customer: Customer, id: string): Promise<Answer["body"]> =>
  (await customer.call("GET", `/campaigns/${id}`)).body.campaign;

export async function recipientsOf(customer: Customer, id: string, state?: string): Promise<Answer["body"][]> {
  const recipients = [];
  for (let cursor = ""; ;) {
    const query = `limit=100${state === undefined ? "" : `&state=${state}`}${cursor}`;
    const { body } = await customer.call("GET", `/campaigns/${id}/recipients?${query}`);
    recipients.push(...body.recipients);
    if (body.next_cursor === null) return recipients;
    cursor = `&cursor=${body.next_cursor}`;
  }
}

/** The sandbox has no special behavior for these numbers. Each number is unique. */
export const numberOf = (n: number): string => `+1415${2_000_010 + Math.floor(n / 9990) * 10_000 + (n % 9990)}`;

export async function addPeople(customer: Customer, count: number, from = 0): Promise<void> {
  const people = Array.from({ length: count }, (_, n) => ({
    phone: numberOf(from + n),
    phone_key: phoneKey(numberOf(from + n)),
    name: `Person ${from + n}`,
  }));
  for (let at = 0; at < count; at += 5000) {
    await onShard(
      customer,
      `INSERT INTO contacts (seq, id, workspace_id, name, phone, phone_key, created_at, updated_at)
       SELECT base.seq + e.key + 1, 'ct_' || lower(hex(randomblob(13))), ?1, e.value ->> 'name', e.value ->> 'phone', e.value ->> 'phone_key', ?3, ?3
       FROM (SELECT coalesce((SELECT max(seq) FROM contacts WHERE workspace_id = ?1), ?4) AS seq) base CROSS JOIN json_each(?2) e`,
      customer.workspaceId,
      JSON.stringify(people.slice(at, at + 5000)),
      Date.now(),
      await baseOf(customer),
    );
  }
}

export async function addPeopleWithoutNumbers(customer: Customer, count: number): Promise<void> {
  for (let at = 0; at < count; at += 5000) {
    const names = Array.from({ length: Math.min(5000, count - at) }, (_, n) => `Nameless ${at + n}`);
    await onShard(
      customer,
      `INSERT INTO contacts (seq, id, workspace_id, name, created_at, updated_at)
       SELECT base.seq + e.key + 1, 'ct_' || lower(hex(randomblob(13))), ?1, e.value, ?3, ?3
       FROM (SELECT coalesce((SELECT max(seq) FROM contacts WHERE workspace_id = ?1), ?4) AS seq) base CROSS JOIN json_each(?2) e`,
      customer.workspaceId,
      JSON.stringify(names),
      Date.now(),
      await baseOf(customer),
    );
  }
  await onShard(
    customer,
    `INSERT INTO contact_identities (workspace_id, provider, external_id, contact_seq, connection_id)
     SELECT workspace_id, 'sandbox', 'person.' || seq || '.x', seq, ?2 FROM contacts WHERE workspace_id = ?1 AND phone IS NULL`,
    customer.workspaceId,
    customer.connectionId,
  );
}

async function baseOf(customer: Customer): Promise<number> {
  const number = await customer.world.env.DB.prepare("SELECT number FROM workspaces WHERE id = ?")
    .bind(customer.workspaceId)
    .first<number>("number");
  return (number ?? 0) * 2 ** 32;
}

export async function advanceJob(customer: Customer, campaignId: string) {
  const workspace = await customer.world.env.DB.prepare("SELECT id, number, shard FROM workspaces WHERE id = ?")
    .bind(customer.workspaceId)
    .first();
  return { v: 1, workspace, campaignId };
}

export async function customerWith(people: number, world = new World()) {
  const customer = await world.customer();
  await addPeople(customer, people);
  return { world, customer };
}

export const change = (customer: Customer, id: string, verb: string, headers = {}): Promise<Answer> =>
  customer.call("POST", `/campaigns/${id}/${verb}`, undefined, { headers });

export const differences = async (customer: Customer, id: string): Promise<Answer["body"]> =>
  (await customer.manage("POST", `/campaigns/${id}/reconcile`)).body.differences;
