import { onShard } from "./storage.ts";
import { type Answer, type Customer, phoneEnding } from "./world.ts";

export const sendBatch = (customer: Customer, messages: unknown, key?: string): Promise<Answer> =>
  customer.call(
    "POST",
    "/messages/batch",
    { messages },
    { headers: key === undefined ? {} : { "Idempotency-Key": key } },
  );

export const statusesOf = ({ body }: Answer): string[] => body.results.map(({ status }: Answer["body"]) => status);
export const errorsOf = ({ body }: Answer) =>
  body.results.map(({ error }: Answer["body"]) => (error === null ? null : [error.code, error.details]));

export const textsTo = (count: number, text = "Hi") =>
  Array.from({ length: count }, (_, index) => ({ to: phoneEnding("1234"), text: `${text} ${index}` }));

/** The statements that accept messages. */
export const ACCEPTING = /INSERT INTO messages/;

export const storedMessageIds = async (customer: Customer) =>
  (await onShard(customer, "SELECT id FROM messages WHERE workspace_id = ? ORDER BY id", customer.workspaceId)).map(
    ({ id }) => id,
  );

/** Lets the cron find messages whose queue message is missing, and sends everything. */
export async function sendAll({ world }: Customer): Promise<void> {
  world.advance(60_000);
  await world.cron();
  await world.settle({ copies: 2 });
}

/** In the order of sending, if the clock advances between two messages. */
export const textsInOrder = async (customer: Customer): Promise<string[]> =>
  (await customer.outbox("?limit=100")).map(({ body }) => String(body)).toReversed();

export const sentTexts = async (customer: Customer): Promise<string[]> => (await textsInOrder(customer)).toSorted();

export const sortedTexts = (messages: { text: string }[]): string[] => messages.map(({ text }) => text).toSorted();
