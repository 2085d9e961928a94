import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { freePort } from "./service.ts";

/** A server at an address of its own, for the length of the test. */
export async function serve(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void) {
  const server = createServer((request, response) => void handle(request, response));
  const port = await freePort();
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  onTestFinished(() => {
    server.close().closeAllConnections();
  });
  return `http://127.0.0.1:${port}`;
}
