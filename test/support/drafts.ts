import { campaign, change, started } from "./campaigns.ts";
import type { Answer, Customer } from "./world.ts";

export const patch = (customer: Customer, id: string, body: object, headers = {}): Promise<Answer> =>
  customer.call("PATCH", `/campaigns/${id}`, body, { headers });

export async function draftOf(customer: Customer, fields: Parameters<typeof started>[1] = {}): Promise<string> {
  const source = await started(customer, { scheduled_at: new Date(Date.now() + 3_600_000).toISOString(), ...fields });
  const { status, body } = await change(customer, source, "duplicate");
  if (status !== 201) throw new Error(JSON.stringify(body));
  await change(customer, source, "cancel");
  return body.campaign.campaign_id;
}

export async function shown(customer: Customer, id: string) {
  const { name, status, scheduled_at, send_before, recipient_count } = await campaign(customer, id);
  return { name, status, scheduled_at, send_before, recipient_count };
}
