import { expect } from "vitest";
import type { LoggedEvent } from "./read-log.ts";
import type { Answer, Customer } from "./world.ts";

export const bulk = (customer: Customer, body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  customer.call("POST", "/contacts/bulk", body, { headers });

export const jobOf = async (customer: Customer, { body }: Answer): Promise<Answer["body"]> =>
  (await customer.call("GET", `/jobs/${body.job.id}`)).body.job;

export async function finishedJob(customer: Customer, body: object): Promise<Answer["body"]> {
  const started = await bulk(customer, body);
  expect([started.status, started.body.error?.details]).toEqual([202, undefined]);
  await customer.world.queues.deliverDue(customer.world.env);
  return jobOf(customer, started);
}

export async function newContacts(customer: Customer, count: number, more: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 500) {
    const contacts = Array.from({ length: Math.min(500, count - at) }, (_, index) => ({
      email: `p${at + index}@example.com`,
      ...more,
    }));
    const { results } = (await customer.call("POST", "/contacts/batch", { contacts })).body;
    ids.push(...results.map(({ contact_id }: Answer["body"]) => contact_id));
  }
  return ids;
}

export const totalOf = async (customer: Customer, query: string): Promise<number> =>
  (await customer.call("GET", `/contacts?include_total=true&limit=1&${query}`)).body.total;

export const eventsBy = (log: LoggedEvent[], type: string): LoggedEvent[] => log.filter((event) => event.type === type);
