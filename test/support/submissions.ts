// Templates that are submitted to a played provider.
import { onShard } from "./storage.ts";
import type { Answer, Customer } from "./world.ts";

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

/** In how many seconds the templates are synced. */
export async function nextSync(customer: Customer): Promise<number> {
  const sql = "SELECT template_sync_at AS at FROM connections WHERE id = ?";
  const [row] = await onShard(customer, sql, customer.connectionId);
  return (Number(row?.["at"]) - Date.now()) / 1000;
}
