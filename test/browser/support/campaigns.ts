import { inject } from "vitest";
import { z } from "zod";
import type { Workspace } from "./people.ts";

const keyMade = z.object({ key: z.string() });
const templateMade = z.object({ template: z.object({ id: z.string() }) });
const campaignMade = z.object({ campaign_id: z.string() });

/** A workspace with people to write to, and its API. */
export class Audience {
  readonly key: string;
  readonly templateId: string;

  constructor(key: string, templateId: string) {
    this.key = key;
    this.templateId = templateId;
  }

  async api(method: string, path: string, body?: object): Promise<unknown> {
    return call(this.key, method, path, body);
  }

  /** Starts a campaign; gives its id. */
  async start(fields: object = {}): Promise<string> {
    const order = { template_id: this.templateId, channel: "unofficial", ...fields };
    return campaignMade.parse(await this.api("POST", "/campaigns", order)).campaign_id;
  }
}

async function call(key: string, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${inject("url")}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

const NAMES = ["Ada Okafor", "Bruno Lima", "Chloe Evans", "Jörg Weiß", "Dana Kim", "Emeka Obi"];

/** Fills a workspace with `people` contacts, some of them tagged, some unsubscribed or hard to reach, and a template. */
export async function newAudience(workspace: Workspace, people: number): Promise<Audience> {
  const connection_id = workspace.connectionId;
  const { key } = keyMade.parse(await workspace.manage("POST", "/api-keys", { name: "Test", connection_id }));
  const contacts = Array.from({ length: people }, (_, at) => ({
    phone: `+1415${3_000_000 + at * 10_000 + (at % 12 === 5 ? 1 : 1234)}`,
    name: NAMES[at % NAMES.length],
    tags: at % 2 === 0 ? ["Newsletter"] : ["VIP"],
    is_unsubscribed: at % 10 === 9,
  }));
  await call(key, "POST", "/contacts/batch", { contacts });
  const template = {
    name: "Spring sale",
    body: "Hi {{first_name|there}},\nour sale begins on {{day}}. Come by and say hello!\n\nReply STOP to hear no more.",
  };
  const made = templateMade.parse(await call(key, "POST", "/templates", template));
  return new Audience(key, made.template.id);
}
