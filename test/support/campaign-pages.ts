import { addPeople, started } from "./campaigns.ts";
import { createTemplate } from "./templates.ts";
import { type Answer, type Customer, World } from "./world.ts";

export async function office({ people = 3, body = "Hello {{first_name|there}}" } = {}) {
  const world = new World();
  const customer = await world.customer();
  await addPeople(customer, people);
  const template = await createTemplate(customer, body);
  const admin = await customer.member("admin");
  const root = `/console/${customer.workspaceId}`;
  const order = { template_id: template, channel: `unofficial ${customer.connectionId}`, when: "now" };
  const post = (path: string, fields: Record<string, string> = {}) => admin.post(root + path, fields);
  return { world, customer, admin, root, template, order, post };
}

export function formOf({ body }: Answer, action: string): Record<string, string> {
  const form = new RegExp(`<form[^>]*action="[^"]*${action}".*?</form>`, "s").exec(body)?.[0] ?? "";
  const fields = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return Object.fromEntries(Array.from(fields, ([, name = "", value = ""]) => [name, value]));
}

export const campaignsOf = async (customer: Customer): Promise<Answer["body"][]> =>
  (await customer.call("GET", "/campaigns")).body.campaigns;

export const faultOf = ({ body }: Answer, field: string): string | undefined =>
  new RegExp(`id="field-${field}-fault">([^<]*)`).exec(body)?.[1];

export async function useCampaignPages(customer: Customer): Promise<void> {
  const admin = await customer.member("admin");
  const root = `/console/${customer.workspaceId}/campaigns`;
  await addPeople(customer, 1);
  const id = await started(customer);
  await customer.world.settle();
  await admin.get(root);
  await admin.get(`${root}/new`);
  for (const page of ["", "/recipients.csv", "/test", "/edit"]) await admin.get(`${root}/${id}${page}`);
  await admin.post(`${root}/${id}/duplicate`);
  const { campaign_id: draft } = (await customer.call("POST", `/campaigns/${id}/duplicate`)).body.campaign;
  await admin.get(`${root}/${draft}/start`);
  await admin.get(`${root}/calendar`);
}
