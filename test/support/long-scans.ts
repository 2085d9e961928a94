import { onShard } from "./storage.ts";
import type { Customer } from "./world.ts";

/** What is asked of large workspaces only: contacts far from each other in number, one of them too large for a page. */
export async function useLongScans(customer: Customer): Promise<void> {
  const { id: far } = (await customer.call("POST", "/contacts", { email: "far@example.com" })).body.contact;
  const notes = JSON.stringify({ 1: "x".repeat(100_000) });
  await onShard(customer, "UPDATE contacts SET seq = seq + 200000, custom_fields = ? WHERE id = ?", notes, far);
  for (const query of [
    "",
    "?search=nobody&include_total=true",
    "?status=hot&offset=100",
    "?archived=true&include_total=true",
  ])
    await customer.call("GET", `/contacts${query}${query === "" ? "?" : "&"}limit=100`);
  const filter = { match: "all", conditions: [{ field: "status", op: "eq", value: "cold" }] };
  const { id } = (await customer.call("POST", "/segments", { name: "Cold", filter })).body.segment;
  await customer.call("GET", `/segments/${id}/contacts`);
  await customer.call("GET", `/segments/${id}/count`);
}
