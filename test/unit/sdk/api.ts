import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished, vi } from "vitest";
import { Tidings, TidingsError } from "../../../sdk/src/index.ts";
import type { TidingsOptions } from "../../../sdk/src/options.ts";

interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A JSON response, or an action on the connection. */
type Answer =
  | { status?: number; headers?: Record<string, string>; json: unknown }
  | ((response: ServerResponse) => void);

export const refusal = (
  status: number,
  code: string,
  headers: Record<string, string> = {},
  details: unknown = null,
) => ({
  status,
  headers: { "X-Request-Id": "req_1", ...headers },
  json: { success: false, error: { code, message: `It is ${code}.`, details }, request_id: "req_1" },
});

/** Until the end of the test, all timers run a hundred times as fast. */
export function hastenTime(): void {
  const { setTimeout } = globalThis;
  // Node's fetch also sets timers with this function, and passes arguments to them.
  const hastened = (run: (...args: unknown[]) => void, milliseconds: number, ...args: unknown[]) =>
    setTimeout(run, milliseconds / 100, ...args);
  vi.stubGlobal("setTimeout", hastened);
  onTestFinished(() => void vi.unstubAllGlobals());
}

/** Starts a server and a client. The server returns the responses in turn, and repeats the last response. */
export async function startApi(answers: Answer[], options: TidingsOptions = {}) {
  const requests: Received[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
    if (typeof answer === "function") return answer(response);
    const { status = 200, headers = {}, json } = answer ?? { json: {} };
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(json));
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const tidings = new Tidings({ apiKey: "tdg_secret", adminToken: "operator-secret", baseUrl, ...options });
  return { baseUrl, requests, tidings };
}

/** Returns the error of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<TidingsError> {
  try {
    throw new Error(`The call has succeeded: ${JSON.stringify(await call)}`);
  } catch (error) {
    if (error instanceof TidingsError) return error;
    throw error;
  }
}
