import type { DeliveryStatus, MessagePrice } from "../../src/channels/channel-events.ts";
import { transact } from "../../src/db/statement.ts";
import { createProviderCaller } from "../../src/features/messages/deliver/call-provider.ts";
import { state } from "../../src/features/messages/messages.states.ts";
import { type MessageAttempt, planSettlements } from "../../src/features/messages/settle/settle-messages.ts";
import { phoneKey } from "../../src/shared/text/phone.ts";
import { contextOf } from "./context.ts";
import { onShard } from "./storage.ts";
import { type Customer, phoneEnding } from "./world.ts";

export interface Recipient {
  id: string;
  contactSeq: number;
  phone: string;
}

export interface Campaign {
  id: string;
  recipients: Recipient[];
}

let campaigns = 0;

/** Recipients in a state other than `queued` have had one attempt. */
async function insertRecipients(customer: Customer, id: string, recipients: Recipient[], states: number[]) {
  const { workspace } = await contextOf(customer);
  const rows = recipients.map((recipient, index) => ({ ...recipient, state: states[index % states.length] ?? 0 }));
  await onShard(
    customer,
    `INSERT INTO messages (id, workspace_id, contact_seq, connection_id, campaign_id, from_contact, address, body, state, attempts, created_at)
     SELECT value ->> 'id', ?, value ->> 'contactSeq', ?, ?, FALSE, value ->> 'phone', '', value ->> 'state',
       (value ->> 'state') > ${state.queued}, ?
     FROM json_each(?)`,
    workspace.id,
    customer.connectionId,
    id,
    Date.now(),
    JSON.stringify(rows),
  );
}

async function contactsOf(customer: Customer, numbers: string[]): Promise<Map<string, number>> {
  const { workspace } = await contextOf(customer);
  const own = "FROM contacts WHERE workspace_id = ?";
  const [last] = await onShard(customer, `SELECT max(seq) AS seq ${own}`, workspace.id);
  const first = Number(last?.["seq"] ?? workspace.number * 2 ** 32) + 1;
  const rows = numbers.map((phone, index) => ({ seq: first + index, phone, phoneKey: phoneKey(phone) }));
  await onShard(
    customer,
    `INSERT INTO contacts (seq, id, workspace_id, phone, phone_key, created_at, updated_at)
     SELECT value ->> 'seq', 'ct_' || (value ->> 'seq'), ?, value ->> 'phone', value ->> 'phoneKey', ?, ?
     FROM json_each(?) WHERE TRUE ON CONFLICT DO NOTHING`,
    workspace.id,
    Date.now(),
    Date.now(),
    JSON.stringify(rows),
  );
  const known = await onShard(customer, `SELECT seq, phone ${own}`, workspace.id);
  return new Map(known.map(({ seq, phone }) => [String(phone), Number(seq)]));
}

export async function expand(
  customer: Customer,
  phones: string[],
  states: number[] = [state.queued],
): Promise<Campaign> {
  const { newId } = await contextOf(customer);
  const contacts = await contactsOf(customer, phones);
  const prefix = newId("msg").slice(0, -8);
  const number = campaigns++;
  const recipients = phones.map((phone, index) => ({
    id: `${prefix}${String(index).padStart(8, "0")}`,
    contactSeq: contacts.get(phone) ?? 0,
    phone,
  }));
  const campaign = { id: `cmp_${number}`, recipients };
  await insertRecipients(customer, campaign.id, recipients, states);
  return campaign;
}

export const phones = (count: number, ending = "1234") => Array.from({ length: count }, () => phoneEnding(ending));

type Told = Pick<MessageAttempt, "outcome"> & Partial<MessageAttempt>;

export async function settleLease(
  customer: Customer,
  recipients: Recipient[],
  tell: (recipient: Recipient, index: number) => Told,
): Promise<(number | null)[]> {
  const ctx = await contextOf(customer);
  const { statements, retryAts } = planSettlements(
    ctx,
    recipients.map((recipient, index) => ({
      id: recipient.id,
      attempts: 1,
      contactSeq: recipient.contactSeq,
      connectionId: customer.connectionId,
      campaign: true,
      ...tell(recipient, index),
    })),
  );
  await transact(ctx.db, { statements });
  return retryAts;
}

export const sentAs = ({ phone }: Recipient, body = "Hello") => ({ address: phone, body, templateForm: null });

export async function sendLease(
  customer: Customer,
  recipients: Recipient[],
  {
    provider = "sandbox",
    config = {},
    attempt = 1,
  }: { provider?: string; config?: Record<string, string>; attempt?: number } = {},
): Promise<void> {
  const handOver = createProviderCaller(await contextOf(customer));
  const connection = { id: customer.connectionId, config };
  const outcomes = await Promise.all(
    recipients.map(({ id, phone }) => handOver(provider, connection, { id, to: phone, body: "Hello", attempt })),
  );
  await settleLease(customer, recipients, (recipient, index) => ({
    outcome: outcomes[index] ?? { kind: "held", until: 0 },
    sent: sentAs(recipient),
    attempts: attempt,
  }));
}

/** States without a column in `tallies`: those of pending messages, and those that only direct messages can have. */
const uncounted = ["queued", "claimed", "scheduled", "cancelled"];

const names = Object.entries(state).filter(([name]) => !uncounted.includes(name));

export async function countsOf(customer: Customer, { id }: Campaign): Promise<Record<string, number>> {
  const [row = {}] = await onShard(customer, "SELECT * FROM tallies WHERE campaign_id = ?", id);
  const states = await onShard(
    customer,
    "SELECT state, count(*) AS n FROM messages WHERE campaign_id = ? GROUP BY state",
    id,
  );
  const kept = names.map(([name]) => [name, Number(row[name] ?? 0)] as const);
  const actual = names.map(([name, at]) => [name, Number(states.find((each) => each["state"] === at)?.["n"] ?? 0)]);
  if (JSON.stringify(kept) !== JSON.stringify(actual))
    throw new Error(`The counts are ${JSON.stringify(kept)}, the messages ${JSON.stringify(actual)}.`);
  return Object.fromEntries(kept.filter(([, count]) => count !== 0));
}

/** Fills in `tallies` for messages that a test inserted directly in later states. */
export async function countAnew(customer: Customer, { id }: Campaign): Promise<void> {
  const sums = names.map(([, at]) => `sum(state = ${at})`).join(", ");
  await onShard(
    customer,
    `INSERT INTO tallies (campaign_id, ${names.map(([name]) => name).join(", ")})
     SELECT campaign_id, ${sums} FROM messages WHERE campaign_id = ? GROUP BY campaign_id`,
    id,
  );
}

export const rowOf = async (customer: Customer, id: string) =>
  (await onShard(customer, "SELECT * FROM messages WHERE id = ?", id))[0];

export async function statesOf(customer: Customer, { id }: Campaign): Promise<(string | undefined)[]> {
  const rows = await onShard(customer, "SELECT state FROM messages WHERE campaign_id = ? ORDER BY id", id);
  return rows.map((row) => Object.entries(state).find(([, at]) => at === row["state"])?.[0]);
}

/** Sends statuses through the queue, as a provider's webhook does. */
export async function reportStatuses(
  customer: Customer,
  reports: { id: string; status: DeliveryStatus; key?: string; price?: MessagePrice }[],
) {
  const { workspace } = await contextOf(customer);
  const bodies = reports.map(({ id, status, key, price }) => {
    const event = { price, type: "status", providerMessageId: key ?? "p", status, at: Date.now(), error: null };
    const messageId = key === undefined ? id : null;
    return { v: 1, workspace, connectionId: customer.connectionId, event: { ...event, messageId } };
  });
  for (let from = 0; from < bodies.length; from += 100)
    await customer.world.env.EVENTS_QUEUE.sendBatch(bodies.slice(from, from + 100).map((body) => ({ body })));
  await customer.world.queues.deliverDue(customer.world.env);
}
