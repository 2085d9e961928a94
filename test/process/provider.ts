import type { StandIn } from "../support/providers/stand-in.ts";
import { runServer } from "./local-server.ts";
import { providerServer } from "./provider-server.ts";

/** Runs a simulated provider on this machine until the end of the test. Returns its address. */
export const startProvider = async (standIn: StandIn): Promise<{ url: string }> => ({
  url: await runServer(providerServer(standIn)),
});
