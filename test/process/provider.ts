import type { IncomingMessage, ServerResponse } from "node:http";
import type { StandIn } from "../support/providers/stand-in.ts";
import { serve } from "./local-server.ts";

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

/** Runs a simulated provider on this machine until the end of the test. Returns its address. */
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
  return { url: await serve(answer) };
}
