import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { parseEnv } from "node:util";
import { inject } from "vitest";
import { z } from "zod";

const PASSWORD = "correct horse battery";

export interface SessionCookie {
  name: string;
  value: string;
  path: string;
}

export interface Person {
  email: string;
  password: string;
  /** The cookies of the session that the accepted invitation started. */
  session?: SessionCookie[];
}

/** The owner of the demo workspace, which `npm start` creates. */
export const demoOwner = (): Person => inject("demo");

/** Sends a request of the operator to a path below `/manage/v1`. Throws if the response is an error. */
export async function manage(method: string, path: string, body?: object): Promise<unknown> {
  const { ADMIN_TOKEN = "" } = parseEnv(await readFile(".dev.vars", "utf8"));
  return request(method, `${inject("url")}/manage/v1${path}`, ADMIN_TOKEN, body);
}

/** Sends a request with an API key. Throws if the response is an error. */
export const callApi = (key: string, method: string, path: string, body?: object): Promise<unknown> =>
  request(method, `${inject("url")}/api/v1${path}`, key, body);

async function request(method: string, url: string, token: string, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

const made = z.object({ id: z.string() });

export class Workspace {
  readonly id: string;
  readonly connectionId: string;
  private key: string | undefined;

  constructor(id: string, connectionId: string) {
    this.id = id;
    this.connectionId = connectionId;
  }

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

  private async memberId(email: string): Promise<string> {
    const { members } = z
      .object({ members: z.array(z.object({ id: z.string(), email: z.string() })) })
      .parse(await this.manage("GET", "/members"));
    return members.find((member) => member.email === email)?.id ?? "";
  }

  async remove(email: string): Promise<void> {
    await this.manage("DELETE", `/members/${await this.memberId(email)}`);
  }

  async resetLink(email: string): Promise<string> {
    const answer = await this.manage("POST", `/members/${await this.memberId(email)}/reset-link`);
    return z.object({ reset_link: z.object({ url: z.string() }) }).parse(answer).reset_link.url;
  }

  /** Creates a user who has accepted an invitation and is signed in. */
  async member(role: "owner" | "admin" | "agent", name = "Ada Okafor"): Promise<Person> {
    const email = `${role}-${randomUUID().slice(0, 8)}@example.com`;
    const session = await accept(await this.invite(email, role), "sign-up", { name, password: PASSWORD });
    return { email, password: PASSWORD, session };
  }

  private async ensureKey(): Promise<string> {
    this.key ??= z
      .object({ key: z.string() })
      .parse(await this.manage("POST", "/api-keys", { name: "Test", connection_id: this.connectionId })).key;
    return this.key;
  }

  /** Sends a request with an API key of the workspace. Throws if the response is an error. */
  async call(method: string, path: string, body?: object): Promise<unknown> {
    return callApi(await this.ensureKey(), method, path, body);
  }

  async upload({ name, mimeType, buffer }: { name: string; mimeType: string; buffer: Buffer }): Promise<string> {
    const answer = await fetch(`${inject("url")}/api/v1/media?filename=${encodeURIComponent(name)}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${await this.ensureKey()}`, "Content-Type": mimeType },
      body: Uint8Array.from(buffer),
    });
    return z.object({ media: made }).parse(await answer.json()).media.id;
  }

  async receive(from: string, text: string, name?: string): Promise<void> {
    await this.manage("POST", `/connections/${this.connectionId}/simulate`, { from, text, ...(name && { name }) });
  }
}

/** Accepts an invitation with the same request as the page. Returns the cookies of the new session. */
export async function accept(
  link: string,
  how: "sign-up" | "sign-in",
  fields: Record<string, string>,
): Promise<SessionCookie[]> {
  const accepted = await fetch(`${inject("url")}/console/invitations/${how}`, {
    method: "POST",
    headers: { Origin: inject("url") },
    body: new URLSearchParams({ secret: new URL(link).hash.slice(1), ...fields }),
    redirect: "manual",
  });
  if (accepted.status !== 303) throw new Error(`The invitation answered ${accepted.status}.`);
  return accepted.headers.getSetCookie().flatMap((cookie) => {
    const [, name = "", value = "", path = ""] = /^(tidings(?:-device)?)=([^;]*);.*\bPath=([^;]*)/.exec(cookie) ?? [];
    return value === "" ? [] : [{ name, value, path }];
  });
}

/** Creates a workspace for one test, with a sandbox connection. */
export async function newWorkspace(
  name = "Acme",
  channel: "official" | "unofficial" = "unofficial",
): Promise<Workspace> {
  const { workspace } = z.object({ workspace: made }).parse(await manage("POST", "/workspaces", { name }));
  const sandbox = { name: "Sandbox", channel, provider: "sandbox", config: {} };
  const answer = await manage("POST", `/workspaces/${workspace.id}/connections`, sandbox);
  return new Workspace(workspace.id, z.object({ connection: made }).parse(answer).connection.id);
}
