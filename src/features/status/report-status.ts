import type { BaseCtx } from "../../shared/context.ts";
import { log } from "../../shared/logger.ts";
import { isSuccess } from "../../shared/network/upstream.ts";
import { readStatus } from "./read-status.ts";
import { fillStep } from "./status.fill-levels.ts";
import type { DeploymentStatus } from "./status.schemas.ts";

/**
 * Logs the status each minute. Databases that fill up are logged as an error each hour, so that an alert repeats and we
 * need not store whether it was sent.
 */
export async function logStatus(base: BaseCtx): Promise<void> {
  const status = await readStatus(base);
  log.info("status", { ...status });
  if (new Date(base.now()).getUTCMinutes() === 0) logFillingDatabases(status);
}

function logFillingDatabases({ control_database_bytes, shards }: DeploymentStatus): void {
  const sizes = [
    { database: "control", bytes: control_database_bytes ?? 0 },
    ...shards.map(({ shard, database_bytes: bytes }) => ({ database: `shard ${shard}`, bytes })),
  ];
  for (const { database, bytes } of sizes) {
    const percent = fillStep(bytes);
    if (percent !== null) log.error("database_filling", { database, bytes, percent });
  }
}

const WITHIN_MS = 5000;

/** Requests the URL of a monitor, which alerts if no request arrives. A failure is only logged. */
export async function sendHeartbeat(base: BaseCtx, url: string): Promise<void> {
  try {
    const answer = await base.upstream({ method: "GET", url, headers: {}, withinMs: WITHIN_MS });
    if (!isSuccess(answer)) log.error("heartbeat_failed", { status: answer.status });
  } catch (error) {
    log.error("heartbeat_failed", { error });
  }
}
