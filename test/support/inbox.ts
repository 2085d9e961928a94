import { expect } from "vitest";
import type { Visitor } from "./visitor.ts";
import { type Answer, type Customer, phoneEnding } from "./world.ts";

export const at = ({ workspaceId }: Customer, below = "") => `/console/${workspaceId}/inbox${below}`;

export async function written(
  customer: Customer,
  text = "Is my order on its way?",
  name = "Bruno Lima",
): Promise<string> {
  const phone = phoneEnding("1234");
  await customer.receive(phone, text, name);
  const { conversations } = (await customer.call("GET", "/conversations?limit=1")).body;
  return conversations[0].id;
}

/** A connection cannot be deleted while keys need it, so they are revoked first. */
export async function disconnect(customer: Customer): Promise<void> {
  await customer.manage("POST", `/api-keys/${customer.keyId}/revoke`);
  const { status } = await customer.manage("DELETE", `/connections/${customer.connectionId}`);
  expect(status).toBe(200);
}

export async function agentOf(customer: Customer, id = ""): Promise<{ agent: Visitor; page: Answer }> {
  const agent = await customer.member("agent");
  return { agent, page: await agent.get(at(customer, id && `/${id}`)) };
}

export const listed = ({ body }: Answer): string[] =>
  Array.from(String(body).matchAll(/class="row-top"><strong dir="auto">([^<]*)/g), ([, name = ""]) => name);

export async function undo(visitor: Visitor, { headers }: Pick<Answer, "headers">): Promise<string> {
  const page = String((await visitor.get(headers.get("Location") ?? "")).body);
  const [, action = "", form = ""] = /id="toasts".*?<form[^>]*action="([^"]*)"(.*?)<\/form>/s.exec(page) ?? [];
  const fields = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  const sent = Array.from(fields, ([, name = "", value = ""]) => [name, value.replaceAll("&quot;", '"')]);
  const answer = await visitor.post(action.replaceAll("&amp;", "&"), Object.fromEntries(sent));
  return String((await visitor.get(answer.headers.get("Location") ?? "")).body);
}
