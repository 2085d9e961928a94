import type { Visitor } from "./visitor.ts";
import type { Answer, Customer } from "./world.ts";

export function askImport(
  visitor: Visitor,
  customer: Customer,
  below: string,
  body: object,
  token = visitor.token,
): Promise<Answer> {
  const headers = { "Content-Type": "application/json", Accept: "application/json", "X-CSRF-Token": token };
  return visitor.request("POST", `/console/${customer.workspaceId}/contacts/import${below}`, JSON.stringify(body), {
    headers,
  });
}

export const takeRows = (
  visitor: Visitor,
  customer: Customer,
  mapping: string[],
  rows: string[][],
  others: object = {},
) => askImport(visitor, customer, "/rows", { mapping, rows, tag: "", ...others });

export const foundContact = async (customer: Customer, search: string): Promise<Answer["body"]> =>
  (await customer.call("GET", `/contacts?search=${encodeURIComponent(search)}`)).body.contacts[0];

export const showPreview = async (visitor: Visitor, customer: Customer, body: object): Promise<string> =>
  (await askImport(visitor, customer, "/preview", { has_heads: null, mapping: null, tag: "", ...body })).body;
