import { createServer } from "node:http";
import type { TestProject } from "vitest/node";
import { listen } from "./provider-server.ts";
import { launchService, newStateDir, type OwnService } from "./service.ts";

declare module "vitest" {
  interface ProvidedContext {
    sharedServiceAt: string;
  }
}

/** Starts one `npm start` for all files that do not kill the service, at the first request for its address. */
export async function setup(project: TestProject): Promise<() => void> {
  const { dir, remove } = newStateDir();
  const ends = [remove];
  let service: Promise<OwnService> | undefined;
  const server = createServer((_request, response) => {
    service ??= launchService(dir, { whenStarted: (end) => ends.push(end) });
    service.then(
      ({ url }) => response.end(JSON.stringify({ url, stateDir: dir })),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  project.provide("sharedServiceAt", await listen(server));
  ends.push(() => server.close().closeAllConnections());
  return () => {
    for (const end of ends.toReversed()) end();
  };
}
