import type { Customer } from "./world.ts";

const once = () => ({ headers: { "Idempotency-Key": crypto.randomUUID() } });

export async function useBulk(customer: Customer, id: string): Promise<void> {
  const all = { filter: { archived: false } };
  const set = { company: "Acme", status: null, custom_fields: { plan: "pro" } };
  const actions = [
    { ids: [id], action: "set", set },
    { ...all, action: "add_tags", tags: ["Old", "Bulk"] },
    { ...all, action: "remove_tags", tags: ["Bulk"] },
    { filter: { search: "nobody" }, action: "archive" },
    { filter: { search: "ada", tag: "VIP", source: "shop", status: "hot" }, action: "opt_out" },
  ];
  for (const body of actions) {
    const { job } = (await customer.call("POST", "/contacts/bulk", body, once())).body;
    await customer.call("GET", `/jobs/${job.id}`);
    await customer.world.queues.deliverDue(customer.world.env);
  }
  for (const list of ["/jobs?limit=1", "/jobs?limit=1&status=completed"]) {
    const { next_cursor: cursor } = (await customer.call("GET", list)).body;
    await customer.call("GET", `${list}&cursor=${cursor}`);
  }
  const from = (await customer.call("POST", "/contacts", { email: "same@example.com" })).body.contact.id;
  for (const preview of [true, false]) await customer.call("POST", `/contacts/${id}/merge`, { from, preview }, once());
}
