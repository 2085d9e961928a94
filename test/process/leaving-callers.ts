// Callers that disconnect while they send the body, before the response, or during the response.
import { type ClientRequest, request } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export type Ending =
  /** The caller sends the request, and reads the response to the end. */
  | "whole"
  /** The caller stops sending in the middle of the body, and reads the response. */
  | "cut off"
  /** The caller resets the connection in the middle of the body. */
  | "reset in the body"
  /** The caller resets the connection after it has sent the request. */
  | "reset before the answer"
  /** The caller resets the connection after the first bytes of the response. */
  | "reset in the answer";

export interface Exchange {
  ending: Ending;
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  isChunked?: boolean;
}

/** The caller announces this many bytes more than it sends. */
const MISSING_BYTES = 100;

function readStatus(asked: ClientRequest): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  asked.on("error", reject);
  asked.on("response", (response) => {
    response.on("error", reject);
    response.resume().on("end", () => resolve(response.statusCode ?? 0));
  });
  return promise;
}

/** Resolves when the connection is open and all written bytes are sent. */
async function sent(asked: ClientRequest, body: string | Buffer): Promise<Socket> {
  const { promise, resolve } = Promise.withResolvers<Socket>();
  asked.on("socket", (socket) => socket.once("connect", () => asked.write(body, () => resolve(socket))));
  return promise;
}

/**
 * Sends a request over a new connection. Returns the status if the response was read to its end, and null otherwise.
 */
export async function exchange(at: URL, { ending, ...asks }: Exchange, leaveAfterMs: number): Promise<number | null> {
  const { method = "POST", path, headers = {}, body = "", isChunked = false } = asks;
  const isCut = ending === "cut off" || ending === "reset in the body";
  const length = Buffer.byteLength(body) + (isCut ? MISSING_BYTES : 0);
  const framing = isChunked ? { "Transfer-Encoding": "chunked" } : { "Content-Length": String(length) };
  const asked = request(new URL(path, at), { method, agent: false, headers: { ...headers, ...framing } });
  const status = readStatus(asked);
  status.catch(() => undefined);
  try {
    if (ending === "whole") {
      asked.end(body);
      return await status;
    }
    if (ending === "reset in the answer") {
      const answered = new Promise((resolve) => asked.on("response", (response) => response.once("data", resolve)));
      asked.end(body);
      await Promise.race([answered, status]);
      asked.socket?.resetAndDestroy();
      return null;
    }
    const socket = await sent(asked, body);
    if (ending === "cut off") {
      socket.end();
      return await status;
    }
    if (ending === "reset before the answer") asked.end();
    if (leaveAfterMs > 0) await sleep(leaveAfterMs);
    socket.resetAndDestroy();
    return null;
  } finally {
    asked.destroy();
  }
}
