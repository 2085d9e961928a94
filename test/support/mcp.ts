import { answerInText } from "./tool-answer.ts";
import type { Answer, Customer } from "./world.ts";

/** Each protocol version sends its client information in a different way. */
const AGES = {
  older: { headers: { "MCP-Protocol-Version": "2025-06-18" }, meta: {} },
  newer: {
    headers: { "MCP-Protocol-Version": "2026-07-28" },
    meta: {
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  },
};

export type Age = keyof typeof AGES;

interface SentMcp {
  token?: string | null;
  headers?: Record<string, string>;
  raw?: string;
  /** If this signal is aborted, the caller disconnects. */
  signal?: AbortSignal;
  age?: Age;
}

export const ACCEPT = { Accept: "application/json, text/event-stream" };

/** The server responds with an event or with JSON. In both cases, `body` is the message. */
export async function askMcp(
  customer: Customer,
  method: string,
  params: object = {},
  { token = customer.key, headers = {}, raw, signal, age = "older" }: SentMcp = {},
): Promise<Answer> {
  const { headers: ofAge, meta } = AGES[age];
  const name = Reflect.get(params, "name");
  const standard = age === "newer" && { "Mcp-Method": method, ...(name !== undefined && { "Mcp-Name": String(name) }) };
  const answer = await customer.world.request("POST", "/mcp", undefined, {
    token,
    headers: { ...ACCEPT, "Content-Type": "application/json", ...ofAge, ...standard, ...headers },
    raw: raw ?? JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, ...meta } }),
    ...(signal !== undefined && { signal }),
  });
  const data = typeof answer.body === "string" ? /^data: ([^\n]*)$/m.exec(answer.body)?.[1] : undefined;
  return data === undefined ? answer : { ...answer, body: JSON.parse(data) };
}

export async function callTool(
  customer: Customer,
  name: string,
  args: object = {},
  sent: SentMcp = {},
): Promise<Answer["body"]> {
  const { body } = await askMcp(customer, "tools/call", { name, arguments: args }, sent);
  const { result } = body;
  return result === undefined ? body : { ...result, answer: answerInText(result.content[0].text) };
}

export const answerOf = async (...call: Parameters<typeof callTool>): Promise<Answer["body"]> =>
  (await callTool(...call)).answer;
