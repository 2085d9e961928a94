// The content of the demo workspace. Its records have the same ids as the examples in the documentation, so that the
// examples work in this workspace.
import { exampleIds as id } from "../../src/documentation/example-ids.ts";
import { idIn, type Call } from "./demo-requests.ts";

const DAY_MS = 86_400_000;

const PLAN = { field_key: "plan", label: "Plan", type: "select", options: ["free", "pro"] };

const CONTACTS = [
  {
    phone: "+14155550100",
    name: "Ada Okafor",
    email: "ada@example.com",
    company: "Okafor Ltd",
    tags: ["VIP"],
    status: "hot",
    lifecycle_stage: "customer",
  },
  { phone: "+5511955501102", name: "Bruno Lima", email: "bruno@example.com", tags: ["Newsletter"], status: "warm" },
  { phone: "+447700900103", name: "Chloe Evans", email: "chloe@example.org", tags: ["VIP", "Newsletter"] },
  { phone: "+4915155500104", name: "Jörg Weiß", company: "Weiß GmbH", lifecycle_stage: "customer" },
  { phone: "+46701740605", name: "Grace Lindqvist" },
].map((contact, index) => ({ ...contact, source: "demo", custom_fields: { plan: PLAN.options[index % 2] } }));

/** The messages of all contacts except Ada, in the order of their arrival. `fillInbox` then adds Ada's messages. */
const MESSAGES = [
  { from: "+447700900103", text: "Thanks, it works now." },
  { from: "+46701740605", text: "Do you ship to Sweden?" },
  { from: "+4915155500104", text: "Can I change the delivery address?" },
  { from: "+5511955501102", text: "Bom dia, quero saber o preço." },
  { from: "+5511955501102", text: "Obrigado! Até sexta." },
];

const SEGMENT = {
  name: "Customers on the free plan",
  filter: { match: "all", conditions: [{ field: "custom_fields.plan", op: "eq", value: "free" }] },
};

export interface DemoCalls {
  call: Call;
  receive(message: { from: string; text: string }): Promise<void>;
  ownerId: string;
}

export async function createRecords(call: Call): Promise<void> {
  await call("POST", "/custom-fields", PLAN, [id.customField]);
  await call("POST", "/tags", { name: "VIP", color: "#2563eb" }, [id.tag]);
  await call("POST", "/contacts/batch", { contacts: CONTACTS }, [id.contact, id.otherContact]);
  await call("POST", "/segments", SEGMENT, [id.segment]);
  const template = { name: "Order update", body: "Hello {{name|there}}, your order is on its way." };
  await call("POST", "/templates", template, [id.template]);
  const reply = { shortcut: "delivery", body: "Hello {{first_name|there}}, your order arrives within two days." };
  await call("POST", "/canned-replies", reply, [id.cannedReply]);
  // The webhook is paused because nothing listens at this address.
  const hook = { url: "http://localhost:9100/tidings", types: ["message.*"], description: "Orders" };
  const webhookId = idIn((await call("POST", "/webhooks", hook, [id.webhook])).webhook);
  await call("POST", `/webhooks/${webhookId}/pause`);
  // The campaign has a template of its own, because a template cannot be changed while an unfinished campaign uses it.
  const sale = { name: "Winter sale", body: "Hello {{name|there}}, the winter sale starts today." };
  const template_id = idIn((await call("POST", "/templates", sale)).template);
  const scheduled_at = new Date(Date.now() + 300 * DAY_MS).toISOString();
  const campaign = { template_id, channel: "unofficial", filter_tags: ["Newsletter"], scheduled_at };
  await call("POST", "/campaigns", campaign, [id.campaign]);
}

/** Fills the inbox as docs/console.png shows it. */
export async function fillInbox({ call, receive, ownerId }: DemoCalls): Promise<void> {
  const open = async (search: string, chosenIds: string[] = []) => {
    const { contacts } = await call("GET", `/contacts?search=${search}&limit=1`);
    const contact_id = idIn(Array.isArray(contacts) ? contacts[0] : undefined);
    return idIn((await call("POST", "/conversations", { contact_id }, chosenIds)).conversation);
  };
  const [ada, joerg] = [await open("okafor", [id.conversation]), await open("weiss")];
  for (const message of MESSAGES) await receive(message);
  const from = "+14155550100";
  await receive({ from, text: "Hi! Is my order on its way?" });
  const text = "Hello Ada, order 1042 left this morning and should be with you tomorrow.";
  await call("POST", `/conversations/${ada}/messages`, { text });
  await receive({ from, text: "Perfect. Could the courier leave it with my neighbour?" });
  await call("POST", `/conversations/${ada}/read`, { receipt: false });
  const note = "@Demo Owner the courier accepts such requests until 18:00. Please call them.";
  await call("POST", `/conversations/${ada}/notes`, { body: note });
  await call("PATCH", `/conversations/${ada}`, { assignee_id: ownerId, labels: ["Delivery"] });
  await call("PATCH", `/conversations/${joerg}`, { labels: ["Address"] });
}
