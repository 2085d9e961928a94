// Calls to Meta's Graph API.
import type { UpstreamAnswer, UpstreamRequest, UpstreamStream } from "../../shared/network/upstream.ts";
import { parseJsonOrNull } from "../../shared/text/json.ts";
import type { OpenConnection } from "../channel.ts";

const API_BASE = "https://graph.facebook.com";
const API_VERSION = "v25.0";

/** The base URL of a connection: Meta's, or a proxy in front of it. */
export const apiBaseOf = ({ config }: OpenConnection): string => (config["api_base"] ?? API_BASE).replace(/\/+$/, "");

/** A request with the connection's access token. */
export function cloudRequestTo(connection: OpenConnection, path: string): UpstreamRequest {
  const { config } = connection;
  return {
    method: "GET",
    url: `${apiBaseOf(connection)}/${config["api_version"] ?? API_VERSION}/${path}`,
    headers: { Authorization: `Bearer ${config["access_token"] ?? ""}` },
  };
}

export function postJson(connection: OpenConnection, path: string, body: unknown): UpstreamRequest {
  const { url, headers } = cloudRequestTo(connection, path);
  return {
    method: "POST",
    url,
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
}

/** A setting as a path segment. */
export const idIn = ({ config }: OpenConnection, name: string): string => encodeURIComponent(config[name] ?? "");

/** Responses to uploads contain an id. */
const MAX_ANSWER_BYTES = 100_000;
const ANSWER_MS = 5000;

/** Reads a streamed response that is not a file to its end. */
export async function readAnswer({ status, headers, body }: UpstreamStream): Promise<UpstreamAnswer> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  const late = AbortSignal.timeout(ANSWER_MS);
  for await (const chunk of body?.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal: late }) ?? []) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new Error("The provider's response is too large.");
    text += decoder.decode(chunk, { stream: true });
  }
  return { status, headers, json: parseJsonOrNull(text + decoder.decode()) };
}
