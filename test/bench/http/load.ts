// Sends requests over a fixed number of connections. A connection sends its next request after a response.
import { Agent, request } from "node:http";
import { watchWaits } from "../workerd.ts";

export interface Call {
  method: "GET" | "POST";
  url: URL;
  token?: string;
  /** JSON, as an object or as text. */
  body?: object | string;
}

export interface Load {
  connections: number;
  requests: number;
}

/**
 * Sends the requests that `next` returns. Returns the duration of each in ms, without the time in which the machine's
 * other processes kept client or server waiting. Throws unless the response is a success or a 404, which one floor
 * returns.
 */
export async function drive(next: () => Call, { connections, requests }: Load): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const waits = watchWaits();
  const durations: number[] = [];
  let sent = 0;
  const connection = async () => {
    while (sent++ < requests) {
      const [at, before] = [performance.now(), waits.now()];
      await send(next(), agent);
      durations.push(performance.now() - at - waits.since(before));
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  agent.destroy();
  return durations;
}

/** Sends a request, and returns the response's text. */
export function send(
  { method, url, token, body }: Call,
  agent?: Agent,
  otherHeaders: Record<string, string> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...otherHeaders,
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
    };
    const sent = request(url, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const status = response.statusCode ?? 0;
        const text = Buffer.concat(chunks).toString();
        if (status < 300 || status === 404) resolve(text);
        else reject(new Error(`${method} ${url.pathname} answered ${status}: ${text}`));
      });
    });
    sent.on("error", reject);
    sent.end(typeof body === "object" ? JSON.stringify(body) : body);
  });
}
