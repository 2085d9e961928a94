import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { answerInText } from "../support/tool-answer.ts";
import { type Account, eventually, type Service, sharedService } from "./service.ts";

let service: Service;
let account: Account;

beforeAll(async () => {
  service = await sharedService();
  account = await service.account(1000, 60);
});

type Mode = "legacy" | "auto";

async function connect(key: string, mode: Mode, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const requestInit = { headers: { Authorization: `Bearer ${key}`, ...headers } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", service.url), { requestInit }));
  onTestFinished(() => client.close());
  return client;
}

const refusal = z.object({ error: z.object({ code: z.string(), details: z.unknown() }) });
const textContent = z.tuple([z.object({ type: z.literal("text"), text: z.string() })]);

const contactsFound = z.looseObject({ contacts: z.array(z.object({ id: z.string(), name: z.string() })) });
const previewed = z.looseObject({ recipient_count: z.number(), audience_token: z.string() });
const started = z.looseObject({ campaign_id: z.string(), recipient_count: z.number() });
const followed = z.looseObject({ campaign: z.object({ status: z.string(), counts: z.object({ read: z.number() }) }) });
const templateMade = z.object({ template: z.object({ id: z.string() }) });

const answerIn = ({ content }: { content: unknown }) => answerInText(textContent.parse(content)[0].text);

it("Every MCP tool has an input schema that a strict validator of JSON Schema 2020-12 compiles", async () => {
  const { tools } = await (await connect(account.key, "auto")).listTools();
  expect(tools.length).toBeGreaterThan(30);
  const validator = new Ajv2020({ strict: true, validateFormats: false });
  for (const { name, inputSchema } of tools) {
    expect(() => validator.compile(inputSchema), name).not.toThrow();
    // Model providers reject tools whose schema is a union at the top level.
    for (const keyword of ["oneOf", "anyOf", "allOf"]) expect(inputSchema, name).not.toHaveProperty(keyword);
  }
});

const call = async (client: Client, name: string, args: Record<string, unknown>) =>
  answerIn(await client.callTool({ name, arguments: args }));

describe.each([
  ["legacy", "2025-11-25"],
  ["auto", "2026-07-28"],
] as const)("Official MCP client that negotiates like %s", (mode, version) => {
  it("An MCP client finds a contact, previews a campaign, can start it only with the token, and sees it complete", async () => {
    const client = await connect(account.key, mode);
    expect(client.getServerVersion()?.name).toBe("tidings");
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["contacts_list", "campaigns_start"]));

    const tag = `Friends ${mode}`;
    await call(client, "contacts_upsert", {
      phone: "+14155557100",
      name: "Ada Okafor",
      tags: [tag],
      idempotency_key: mode,
    });
    const found = contactsFound.parse(await call(client, "contacts_list", { search: "okafor", limit: 5 }));
    expect(found.contacts.map(({ name }) => name)).toEqual(["Ada Okafor"]);

    const made = await service.request("POST", "/api/v1/templates", account.key, { name: tag, body: "Hello {{name}}" });
    const { template } = templateMade.parse(await made.json());
    const request = { template_id: template.id, channel: "unofficial", filter_tags: [tag] };
    const preview = previewed.parse(await call(client, "campaigns_preview", request));
    expect(preview.recipient_count).toBe(1);
    const refused = await client.callTool({ name: "campaigns_start", arguments: request });
    expect(refused.isError).toBe(true);
    expect(refusal.parse(answerIn(refused)).error.code).toBe("validation_failed");

    const { audience_token } = preview;
    const { campaign_id } = started.parse(await call(client, "campaigns_start", { ...request, audience_token }));
    await eventually("The end of the campaign", 30_000, async () => {
      const { campaign } = followed.parse(await call(client, "campaigns_get", { id: campaign_id }));
      return (campaign.status === "completed" && campaign.counts.read === 1) || null;
    });
  });

  it("An MCP client with a read-only key sees only the tools that read", async () => {
    const { connectionId, workspaceId } = account;
    const { apiKeys } = (await service.operator()).manage;
    const { key } = await apiKeys.create(workspaceId, { name: "Reader", connection_id: connectionId, read_only: true });
    const client = await connect(key, mode);
    const { tools } = await client.listTools();
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    const refused = await call(client, "messages_send", { to: "+14155557101", text: "Hello" });
    expect(refusal.parse(refused).error.code).toBe("forbidden");
  });

  it("An MCP client is rejected if its key is wrong, or if it runs on a page of another origin", async () => {
    await expect(connect("tdg_wrong", mode)).rejects.toThrow();
    await expect(connect(account.key, mode, { Origin: "https://evil.example" })).rejects.toThrow();
    await expect(connect(account.key, mode, { Origin: service.url })).resolves.toBeDefined();
  });
});
