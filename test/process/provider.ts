import { onTestFinished } from "vitest";
import { listen, providerServer } from "./provider-server.ts";
import type { StandIn } from "../support/providers/stand-in.ts";

/** Runs a simulated provider on this machine until the end of the test. Returns its address. */
export async function startProvider(standIn: StandIn): Promise<{ url: string }> {
  const server = providerServer(standIn);
  onTestFinished(() => {
    server.close().closeAllConnections();
  });
  return { url: await listen(server) };
}
