// Sends requests over a fixed number of connections. A connection sends its next request after a response.
import { Agent, request } from "node:http";

export interface Call {
  method: "GET" | "POST";
  url: URL;
  token?: string;
  body?: object;
}

/** Start and duration of each request, in ms. */
export interface Timing {
  at: number;
  ms: number;
}

export interface Load {
  connections: number;
  /** Time in ms after which no request starts. */
  forMs: number;
}

/**
 * Sends the requests that `next` returns. Throws if a response is neither a success nor a 404, which one floor returns.
 */
export async function drive(next: () => Call, { connections, forMs }: Load): Promise<Timing[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const end = performance.now() + forMs;
  const timings: Timing[] = [];
  const connection = async () => {
    while (performance.now() < end) {
      const at = performance.now();
      await send(next(), agent);
      timings.push({ at, ms: performance.now() - at });
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  agent.destroy();
  return timings;
}

function send({ method, url, token, body }: Call, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
    };
    const sent = request(url, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const status = response.statusCode ?? 0;
        if (status < 300 || status === 404) resolve();
        else reject(new Error(`${method} ${url.pathname} answered ${status}: ${Buffer.concat(chunks).toString()}`));
      });
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
