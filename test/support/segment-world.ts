import { expect } from "vitest";
import type { Customer } from "./world.ts";

interface Condition {
  field: string;
  op: string;
  value?: unknown;
}

export const all = (...conditions: Condition[]) => ({ match: "all", conditions });
export const tagged = (op: string, ...names: string[]) => all({ field: "tags", op, value: names });

export async function saved(customer: Customer, filter: object, name = "Segment"): Promise<string> {
  const { status, body } = await customer.call("POST", "/segments", { name, filter });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.segment.id;
}

export const segment = async (customer: Customer, id: string) =>
  (await customer.call("GET", `/segments/${id}`)).body.segment;

export async function namesIn(customer: Customer, id: string): Promise<string[]> {
  const { body } = await customer.call("GET", `/segments/${id}/contacts?limit=100`);
  const { body: counted } = await customer.call("GET", `/segments/${id}/count`);
  expect(counted.count).toBe(body.contacts.length);
  return body.contacts.map(({ name }: { name: string }) => name);
}

let numbers = 0;

export async function contact(customer: Customer, name: string, details: object = {}): Promise<string> {
  const phone = `+1415555${String(1000 + numbers++)}`;
  const { status, body } = await customer.call("POST", "/contacts", { name, phone, ...details });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.contact.id;
}

export async function customField(
  customer: Customer,
  field_key: string,
  type: string,
  options?: string[],
): Promise<string> {
  const { body } = await customer.call("POST", "/custom-fields", {
    field_key,
    label: field_key,
    type,
    ...(options && { options }),
  });
  return body.custom_field.id;
}

export async function tagId(customer: Customer, name: string): Promise<string> {
  const { body } = await customer.call("GET", "/tags?limit=100");
  return body.tags.find((tag: { name: string }) => tag.name === name).id;
}
