// Somebody at the inbox of the console.
import { expect } from "vitest";
import type { Visitor } from "./visitor.ts";
import { type Answer, type Customer, phoneEnding } from "./world.ts";

export const at = ({ workspaceId }: Customer, below = "") => `/console/${workspaceId}/inbox${below}`;

/** Somebody has written; gives their conversation. */
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

/** A connection goes once no key needs it. */
export async function disconnect(customer: Customer): Promise<void> {
  await customer.manage("POST", `/api-keys/${customer.keyId}/revoke`);
  const { status } = await customer.manage("DELETE", `/connections/${customer.connectionId}`);
  expect(status).toBe(200);
}

export async function agentOf(customer: Customer, id = ""): Promise<{ agent: Visitor; page: Answer }> {
  const agent = await customer.member("agent");
  return { agent, page: await agent.get(at(customer, id && `/${id}`)) };
}

/** The names listed, in their order. */
export const listed = ({ body }: Answer): string[] =>
  Array.from(String(body).matchAll(/class="row-top"><strong dir="auto">([^<]*)/g), ([, name = ""]) => name);

/** Presses Undo in the notice that an answer leads to; gives the page that follows. */
export async function undo(visitor: Visitor, { headers }: Pick<Answer, "headers">): Promise<string> {
  const page = String((await visitor.get(headers.get("Location") ?? "")).body);
  const [, action = "", form = ""] = /id="toasts".*?<form[^>]*action="([^"]*)"(.*?)<\/form>/s.exec(page) ?? [];
  const fields = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  const sent = Array.from(fields, ([, name = "", value = ""]) => [name, value.replaceAll("&quot;", '"')]);
  const answer = await visitor.post(action.replaceAll("&amp;", "&"), Object.fromEntries(sent));
  return String((await visitor.get(answer.headers.get("Location") ?? "")).body);
}
