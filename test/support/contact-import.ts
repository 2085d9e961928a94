import type { Visitor } from "./visitor.ts";
import type { Answer, Customer } from "./world.ts";

/** Sends the request of the page's script. */
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

/** Imports rows in batches, as the page does. */
export const takeRows = (
  visitor: Visitor,
  customer: Customer,
  mapping: string[],
  rows: string[][],
  others: object = {},
) => askImport(visitor, customer, "/rows", { mapping, rows, tag: "", ...others });

export const foundContact = async (customer: Customer, search: string): Promise<Answer["body"]> =>
  (await customer.call("GET", `/contacts?search=${encodeURIComponent(search)}`)).body.contacts[0];

/** Returns the page with the preview of the first rows. */
export const showPreview = async (visitor: Visitor, customer: Customer, body: object): Promise<string> =>
  (await askImport(visitor, customer, "/preview", { has_heads: null, mapping: null, tag: "", ...body })).body;
