import { started } from "./campaigns.ts";
import { draftOf } from "./drafts.ts";
import { createTemplate } from "./templates.ts";
import { PASSWORD, Visitor } from "./visitor.ts";
import { type Customer, phoneEnding } from "./world.ts";

type Fields = Record<string, string>;

interface ExceptedForm {
  form: string;
  to: string;
  fields: Fields;
  by: Visitor;
}

/** These forms save views or change only what the member sees. `form` is a path in `PARITY`; `id` replaces `:id`. */
async function formsOfWorkspace(customer: Customer, admin: Visitor): Promise<[form: string, id: string, Fields][]> {
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
  return [
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
}

/** The order matters, because some forms are accepted only after others. */
async function formsOfPeople(customer: Customer, admin: Visitor): Promise<[by: Visitor, form: string, Fields][]> {
  const { world } = customer;
  const [newcomer, elsewhere, forgetful] = [
    new Visitor(world),
    new Visitor(world, admin.email),
    await customer.member("agent"),
  ];
  const invitation = await customer.invite(newcomer.email, "agent");
  const reset = await customer.resetLink(forgetful.userId);
  const changed = "a new password";
  const invite = async () => (await world.customer()).invite(admin.email, "agent");
  return [
    [admin, "/theme", { theme: "dark" }],
    [admin, "/person-pane", { pane: "folded" }],
    [newcomer, "/invitations", { secret: invitation }],
    [newcomer, "/invitations/sign-up", { secret: invitation, name: "Bo", password: PASSWORD }],
    [elsewhere, "/invitations/sign-in", { secret: await invite(), password: PASSWORD }],
    [admin, "/invitations/join", { secret: await invite() }],
    [forgetful, "/reset", { secret: reset }],
    [forgetful, "/reset/password", { secret: reset, new_password: changed, repeated: changed }],
    [elsewhere, "/sign-out", {}],
    [elsewhere, "/sign-in", { email: admin.email, password: PASSWORD }],
    [admin, "/name", { name: "Ada" }],
    [admin, "/password", { current_password: PASSWORD, new_password: changed, repeated: changed }],
    [admin, "/sign-out-everywhere", {}],
  ];
}

export async function exceptedForms(customer: Customer, admin: Visitor): Promise<ExceptedForm[]> {
  const ofWorkspace = await formsOfWorkspace(customer, admin);
  const ofPeople = await formsOfPeople(customer, admin);
  const root = `/console/${customer.workspaceId}`;
  return [
    ...ofWorkspace.map(([form, id, fields]) => ({ form, to: root + form.replace(":id", id), fields, by: admin })),
    ...ofPeople.map(([by, form, fields]) => ({ form, to: `/console${form}`, fields, by })),
  ];
}
