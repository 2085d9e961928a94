import { createServer, type IncomingMessage, type Server } from "node:http";
import type { StandIn } from "../support/providers/stand-in.ts";

export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return `http://127.0.0.1:${address.port}`;
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) if (chunk instanceof Buffer) chunks.push(chunk);
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const method = incoming.method ?? "GET";
  return new Request(`http://provider${incoming.url ?? ""}`, {
    method,
    headers,
    ...(method !== "GET" && { body: Buffer.concat(chunks) }),
  });
}

/** Creates an HTTP server that responds as the provider does. */
export function providerServer(standIn: StandIn): Server {
  return createServer((incoming, outgoing) => {
    const answer = async () => {
      const reply = await standIn.handle(await requestOf(incoming));
      if (reply === "silent") return;
      if (reply === "lost") {
        incoming.socket.destroy();
        return;
      }
      outgoing.writeHead(reply.status, Object.fromEntries(reply.headers));
      outgoing.end(Buffer.from(await reply.arrayBuffer()));
    };
    void answer();
  });
}
