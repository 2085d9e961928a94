import { once } from "./every-call.ts";
import { type Customer, phoneEnding } from "./world.ts";

export async function useConversations(customer: Customer): Promise<void> {
  const { world } = customer;
  await customer.member("owner");
  const [owner, agent] = [await customer.member("owner"), await customer.member("agent")];
  const person = { phone: phoneEnding("1234"), name: "Somebody new" };
  const { id: contact_id } = (await customer.call("POST", "/contacts", person)).body.contact;
  const started = await customer.call("POST", "/conversations", { contact_id }, once());
  await customer.call("POST", "/conversations", { contact_id });
  const { id } = started.body.conversation;
  const conversation = `/conversations/${id}`;
  const snoozed_until = new Date(Date.now() + 60_000).toISOString();
  await customer.call("PATCH", conversation, { assignee_id: agent.userId, labels: ["VIP"], snoozed_until }, once());
  const filters = [
    "status=open",
    "unread=true",
    "assignee=none",
    `assignee=${agent.userId}`,
    "label=vip",
    "snoozed=true",
    "search=hello",
  ];
  for (const filter of filters) {
    for (const query of [filter, `${filter}&status=done`, `${filter}&limit=1`]) {
      const { status, body } = await customer.call("GET", `/conversations?${query.replace("status=open&", "")}`);
      if (status === 200 && body.next_cursor !== null)
        await customer.call("GET", `/conversations?${query}&cursor=${body.next_cursor}`);
    }
  }
  world.advance(61_000);
  await customer.call("GET", "/conversations");
  await world.cron();
  for (const change of [{ status: "done" }, { status: "open" }, { labels: [] }])
    await customer.call("PATCH", conversation, change);
  const ids = [id, "cnv_unknown"];
  await customer.call("POST", "/conversations/bulk", { ids, status: "done", assignee_id: agent.userId }, once());
  await customer.call("POST", "/conversations/bulk", { ids, labels: ["VIP"] });
  await customer.call("GET", "/members?limit=1");
  await customer.manage("DELETE", `/members/${agent.userId}`);
  await customer.manage("DELETE", `/members/${owner.userId}`);
  world.advance(61_000);
  await world.cron();
}
