import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";

/** Longer than any pause of a bench. A connection that closes during a request would look like a failure. */
const KEEP_ALIVE_MS = 600_000;

const sentEvent = z.object({ sequence: z.number(), object_id: z.string() });
export type SentEvent = z.infer<typeof sentEvent>;
const sentBody = z.union([z.object({ events: z.array(sentEvent) }), sentEvent]);

export interface Attempt {
  /** A value of `performance.now()`. */
  at: number;
  id: string;
  events: SentEvent[];
}

/** Returns the status of the response. Resolves when the endpoint responds. */
type Endpoint = (attempt: Attempt) => number | Promise<number>;

export class Receiver {
  private readonly endpoints = new Map<string, Endpoint>();

  private readonly server: Server;
  private readonly origin: string;

  private constructor(server: Server, origin: string) {
    this.server = server;
    this.origin = origin;
  }

  static async start(): Promise<Receiver> {
    const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("The receiver has no port.");
    const receiver = new Receiver(server, `http://127.0.0.1:${address.port}`);
    server.on("request", (request, response) => {
      void receiver.answer(request).then((status) => response.writeHead(status).end());
    });
    return receiver;
  }

  at(path: string, endpoint: Endpoint): string {
    this.endpoints.set(path, endpoint);
    return this.origin + path;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(request: IncomingMessage): Promise<number> {
    const at = performance.now();
    const endpoint = this.endpoints.get(request.url ?? "");
    try {
      const body = sentBody.parse(JSON.parse(await text(request)));
      const events = "events" in body ? body.events : [body];
      return (await endpoint?.({ at, id: String(request.headers["webhook-id"]), events })) ?? 404;
    } catch {
      // The caller was killed during the request.
      return 400;
    }
  }
}
