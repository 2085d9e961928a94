import { png, uploadFile } from "./media.ts";
import type { Customer } from "./world.ts";

export async function useExternalTemplates(customer: Customer, connection_id: string): Promise<void> {
  const media_id = (await uploadFile(customer, png(), "image/png")).body.media.id;
  const once = () => ({ headers: { "Idempotency-Key": crypto.randomUUID() } });
  const components = [
    { type: "HEADER", format: "IMAGE", example: { media_id } },
    { type: "BODY", text: "Look!" },
  ];
  const draft = { connection_id, name: "every_call", language: "en", category: "UTILITY", components };
  const repeat = once();
  const { id } = (await customer.call("POST", "/templates", draft, repeat)).body.template;
  await customer.call("POST", "/templates", draft, repeat);
  await customer.call("POST", "/templates", { ...draft, language: "de" });
  const template = `/templates/${id}`;
  await customer.call("PATCH", template, { components, category: "MARKETING" }, once());
  await customer.call("PATCH", template, { category: "UTILITY" });
  await customer.call("PATCH", template, {});
  await customer.call("DELETE", template, undefined, once());
}
