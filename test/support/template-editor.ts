import type { Role } from "../../src/shared/access/actor.ts";
import type { CustomerOptions } from "./seed.ts";
import { type Answer, World } from "./world.ts";

type Fields = Record<string, string>;

export async function desk(options: CustomerOptions & { role?: Role } = {}) {
  const { channel = "official", role = "admin" } = options;
  const customer = await new World().customer({ channel });
  const admin = await customer.member(role);
  const at = `/console/${customer.workspaceId}/templates`;
  const form = {
    connection_id: customer.connectionId,
    name: "spring_sale",
    language: "en_US",
    category: "MARKETING",
    layout: "message",
    "header.format": "NONE",
    "body.text": "Hello {{1}}, our sale begins on {{2}}.",
    "body.examples.1": "Ada",
    "body.examples.2": "Monday",
  };
  const submit = (fields: Fields = {}) => admin.post(`${at}/new/whatsapp`, { ...form, ...fields });
  const preview = (fields: Fields = {}) => admin.post(`${at}/new/whatsapp/preview`, { ...form, ...fields });
  const templates = async (): Promise<Answer["body"][]> =>
    (await customer.call("GET", "/templates?source=external")).body.templates.filter(
      ({ name }: { name: string }) => !name.startsWith("sandbox_"),
    );
  return { customer, admin, at, submit, preview, templates };
}

export const templateIdOf = ({ headers }: Answer) => headers.get("Location")?.split("/").at(-1) ?? "";
