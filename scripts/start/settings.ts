import { once } from "node:events";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** An error that the user can fix. Only its message is printed, without the stack. */
export class StartError extends Error {}

export interface Settings {
  port: number;
  stateDir: string;
  /** True if requests and queue batches are logged. Errors are always logged. */
  logRequests: boolean;
}

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const port = Number(env.PORT || 8787);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new StartError(`PORT must be a whole number from 1 to 65535, not "${env.PORT}".`);
  }
  if (env.LOG && env.LOG !== "requests") throw new StartError(`LOG must be "requests" or empty, not "${env.LOG}".`);
  return { port, stateDir: resolve(env.STATE_DIR || ".wrangler/state"), logRequests: env.LOG === "requests" };
}

/** Waits up to three seconds until the port is free, because a process that was just killed can still hold it. */
export async function waitForFreePort(port: number, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + 3_000;
  while (!(await isFree(port))) {
    if (Date.now() > deadline) {
      throw new StartError(
        `Port ${port} is in use. Stop the process that uses it, or choose another port: PORT=${port + 1} npm start`,
      );
    }
    await sleep(100, undefined, { signal });
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
    server.close();
    await once(server, "close");
    return true;
  } catch {
    return false;
  }
}
