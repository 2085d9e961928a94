import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { listen } from "./provider-server.ts";

/** Runs a server until the end of the test. */
export async function serve(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void) {
  const server = createServer((request, response) => void handle(request, response));
  onTestFinished(() => {
    server.close().closeAllConnections();
  });
  return listen(server);
}
