import { expect } from "vitest";
import type { Answer, Customer } from "./world.ts";

export const createTemplate = async (customer: Customer, body: string): Promise<string> =>
  (await customer.call("POST", "/templates", { name: crypto.randomUUID(), body })).body.template.id;

export async function findExternalTemplate(customer: Customer, name: string): Promise<string> {
  const { templates } = (await customer.call("GET", "/templates?source=external")).body;
  return templates.find((template: { name: string }) => template.name === name).id;
}

export const sendTemplate = (
  customer: Customer,
  id: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer> => customer.call("POST", `/templates/${id}/send`, body, { headers });

export async function textOf(customer: Customer, id: string, body: object): Promise<string> {
  const answer = await sendTemplate(customer, id, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return (await customer.message(answer.body.message_id)).body;
}

export async function refusal(answer: Promise<Answer>) {
  const { status, body } = await answer;
  return [status, body.error?.code, body.error?.details];
}
