import { started } from "./campaigns.ts";
import { draftOf } from "./drafts.ts";
import { createTemplate } from "./templates.ts";
import { type Customer, phoneEnding } from "./world.ts";
import type { Visitor } from "./visitor.ts";

type Fields = Record<string, string>;

interface ExceptedForm {
  form: string;
  to: string;
  fields: Fields;
}

/**
 * The forms of one person or browser, and those that only show something, filled in as people send them: by their path in `PARITY`, with
 * the path that they are sent to.
 */
export async function exceptedForms(customer: Customer, admin: Visitor): Promise<ExceptedForm[]> {
  const { conversation_id } = (await customer.send(phoneEnding("1234"))).body;
  const template = await createTemplate(customer, "Hello {{name|there}}");
  const draft = await draftOf(customer);
  await started(customer, { name: "Running" });
  const external = (await customer.call("GET", "/templates?source=external")).body.templates[0]?.id ?? template;
  const order = { template_id: template, channel: `unofficial ${customer.connectionId}`, when: "now", name: "Sale" };
  const root = `/console/${customer.workspaceId}`;
  const saved = await admin.post(`${root}/contacts/views`, { name: "Ada", query: "search=ada" });
  const list = (await admin.get(saved.headers.get("Location") ?? "")).body;
  const view = /contacts\/views\/(view_\w+)"/.exec(list)?.[1] ?? "";
  const text = { name: "Greeting", body: "Hello {{name|there}}" };
  const whatsapp = { name: "greeting", language: "en", category: "UTILITY", "body.text": "Hello" };
  const below: [form: string, id: string, Fields][] = [
    ["/inbox/:id/template/preview", conversation_id, { template_id: template }],
    ["/contacts/bulk/choose", "", { scope: "all", "filter.search": "ada" }],
    ["/contacts/import/preview", "", { text: "phone,name\n+14155550123,Ada" }],
    ["/templates/new/preview", "", text],
    ["/templates/new/whatsapp/preview", "", whatsapp],
    ["/templates/:id/edit/preview", template, text],
    ["/templates/:id/revise/preview", external, whatsapp],
    ["/templates/:id/preview", template, { to: "+14155550123" }],
    ["/campaigns/new", "", order],
    ["/campaigns/:id/edit/form", draft, order],
    ["/contacts/views", "", { name: "Bo", query: "search=bo" }],
    ["/contacts/views/:id", view, { name: "Adas" }],
    ["/contacts/views/:id/delete", view, {}],
  ];
  const own: [form: string, Fields][] = [
    ["/theme", { theme: "dark" }],
    ["/person-pane", { pane: "folded" }],
    ["/invitations", { secret: "none" }],
    ["/invitations/sign-up", { secret: "none", name: "Bo", password: "correct horse battery" }],
    ["/invitations/sign-in", { secret: "none", password: "correct horse battery" }],
    ["/invitations/join", { secret: "none" }],
    ["/reset", { secret: "none" }],
    ["/reset/password", { secret: "none", new_password: "a new password", repeated: "a new password" }],
    ["/sign-in", { email: admin.email, password: "correct horse battery" }],
    ["/name", { name: "Ada" }],
    ["/password", { current_password: "wrong", new_password: "a new password", repeated: "a new password" }],
    ["/sign-out", {}],
    ["/sign-out-everywhere", {}],
  ];
  return [
    ...below.map(([form, id, fields]) => ({ form, to: root + form.replace(":id", id), fields })),
    ...own.map(([form, fields]) => ({ form, to: `/console${form}`, fields })),
  ];
}
