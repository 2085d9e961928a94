import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import type { StandIn } from "../support/providers/stand-in.ts";

async function requestOf(incoming: IncomingMessage, base: string): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) if (chunk instanceof Buffer) chunks.push(chunk);
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const method = incoming.method ?? "GET";
  return new Request(base + (incoming.url ?? ""), {
    method,
    headers,
    ...(method !== "GET" && { body: Buffer.concat(chunks) }),
  });
}

/** A provider behind a socket of this machine; gone after the test. Gives its address. */
export async function startProvider(standIn: StandIn): Promise<{ url: string }> {
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const reply = await standIn.handle(await requestOf(incoming, "http://provider"));
    if (reply === "silent") return;
    if (reply === "lost") {
      incoming.socket.destroy();
      return;
    }
    outgoing.writeHead(reply.status, Object.fromEntries(reply.headers));
    outgoing.end(Buffer.from(await reply.arrayBuffer()));
  };
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The provider has no port.");
  return { url: `http://127.0.0.1:${address.port}` };
}
