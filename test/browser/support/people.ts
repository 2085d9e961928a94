import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { parseEnv } from "node:util";
import { inject } from "vitest";
import { z } from "zod";

const PASSWORD = "correct horse battery";

export interface Person {
  email: string;
  password: string;
}

/** The owner of the demo workspace, whom `npm start` makes. */
export const demoOwner = (): Person => inject("demo");

/** A request of the operator, below `/manage/v1`. Throws when it is refused. */
export async function manage(method: string, path: string, body?: object): Promise<unknown> {
  const { ADMIN_TOKEN = "" } = parseEnv(await readFile(".dev.vars", "utf8"));
  const response = await fetch(`${inject("url")}/manage/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, "Content-Type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

const made = z.object({ id: z.string() });

export class Workspace {
  readonly id: string;
  readonly connectionId: string;

  constructor(id: string, connectionId: string) {
    this.id = id;
    this.connectionId = connectionId;
  }

  /** The address of one of its pages. */
  path(below: string): string {
    return `/console/${this.id}${below}`;
  }

  manage(method: string, path: string, body?: object): Promise<unknown> {
    return manage(method, `/workspaces/${this.id}${path}`, body);
  }

  async invite(email: string, role: string): Promise<string> {
    const answer = await this.manage("POST", "/invitations", { email, role });
    return z.object({ invitation: z.object({ url: z.string() }) }).parse(answer).invitation.url;
  }

  /** Somebody who has accepted an invitation. */
  async member(role: "owner" | "admin" | "agent", name = "Ada Okafor"): Promise<Person> {
    const person = { email: `${role}-${randomUUID().slice(0, 8)}@example.com`, password: PASSWORD };
    const accepted = await fetch(await this.invite(person.email, role), {
      method: "POST",
      headers: { Origin: inject("url") },
      body: new URLSearchParams({ name, password: person.password }),
      redirect: "manual",
    });
    if (accepted.status !== 303) throw new Error(`The invitation answered ${accepted.status}.`);
    return person;
  }

  /** Somebody writes to the workspace. */
  async receive(from: string, text: string, name?: string): Promise<void> {
    await this.manage("POST", `/connections/${this.connectionId}/simulate`, { from, text, ...(name && { name }) });
  }
}

/** A workspace of its own for a test, with a sandbox connection. */
export async function newWorkspace(name = "Acme"): Promise<Workspace> {
  const { workspace } = z.object({ workspace: made }).parse(await manage("POST", "/workspaces", { name }));
  const sandbox = { name: "Sandbox", channel: "unofficial", provider: "sandbox", config: {} };
  const answer = await manage("POST", `/workspaces/${workspace.id}/connections`, sandbox);
  return new Workspace(workspace.id, z.object({ connection: made }).parse(answer).connection.id);
}
