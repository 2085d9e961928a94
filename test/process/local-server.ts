import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { listen } from "./provider-server.ts";

/** Runs the server until the end of the test. Returns its address. */
export function runServer(server: Server): Promise<string> {
  onTestFinished(() => {
    server.close().closeAllConnections();
  });
  return listen(server);
}

/** Runs a server until the end of the test. Returns its address. */
export const serve = (
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void,
): Promise<string> => runServer(createServer((request, response) => void handle(request, response)));
