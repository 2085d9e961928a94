import { addPeople } from "./campaigns.ts";
import type { CloudStandIn } from "./providers/cloud.ts";
import { linkedCustomer, report } from "./providers/linked.ts";
import { onShard } from "./storage.ts";
import type { Answer, Customer, World } from "./world.ts";

export const submittedComponents = [
  { type: "HEADER", format: "TEXT", text: "Order {{1}}", example: { header_text: ["1042"] } },
  { type: "BODY", text: "Hi {{1}}, it comes on {{2}}.", example: { body_text: [["Ann", "Monday"]] } },
  { type: "FOOTER", text: "Acme" },
  {
    type: "BUTTONS",
    buttons: [
      { type: "QUICK_REPLY", text: "Thanks" },
      { type: "URL", text: "Track", url: "https://acme.test/{{1}}", example: ["1042"] },
    ],
  },
];

export const draftOf = ({ connectionId: connection_id }: Customer, change: object = {}) => ({
  connection_id,
  name: "order_update",
  language: "en_US",
  category: "UTILITY",
  components: submittedComponents,
  ...change,
});

export const submitTemplate = (
  customer: Customer,
  change: object = {},
  headers: Record<string, string> = {},
): Promise<Answer> => customer.call("POST", "/templates", draftOf(customer, change), { headers });

export const templatesOf = async (customer: Customer): Promise<Answer["body"][]> =>
  (await customer.call("GET", "/templates")).body.templates;

export const syncTemplates = (customer: Customer) =>
  customer.manage("POST", `/connections/${customer.connectionId}/sync-templates`);

export async function nextSync(customer: Customer): Promise<number> {
  const sql = "SELECT template_sync_at AS at FROM connections WHERE id = ?";
  const [row] = await onShard(customer, sql, customer.connectionId);
  return (Number(row?.["at"]) - Date.now()) / 1000;
}

export const reviewOf = (status: string) => ({
  field: "message_template_status_update",
  value: {
    event: status,
    reason: "NONE",
    message_template_id: 594_425_479_261_001,
    message_template_name: "order_update",
    message_template_language: "en_US",
  },
});

export async function approvedTemplate(cloud: CloudStandIn, world?: World) {
  const customer = await linkedCustomer(cloud, world);
  const { id } = (await submitTemplate(customer)).body.template;
  await report(customer, cloud.deliver(reviewOf("APPROVED")));
  customer.world.advance(60_000);
  return { customer, id, at: `/templates/${id}` };
}

export const removeTemplate = (customer: Customer, id: string, headers = {}): Promise<Answer> =>
  customer.call("DELETE", `/templates/${id}`, undefined, { headers });

export async function scheduleCampaign(customer: Customer, template_id: string): Promise<Answer> {
  await addPeople(customer, 1);
  const scheduled_at = new Date(Date.now() + 86_400_000).toISOString();
  return customer.call("POST", "/campaigns", {
    template_id,
    channel: "official",
    scheduled_at,
    variables: ["1", "2", "3", "4"],
  });
}
