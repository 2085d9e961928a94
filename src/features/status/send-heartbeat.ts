import type { BaseCtx } from "../../shared/context.ts";
import { log } from "../../shared/logger.ts";
import { isSuccess } from "../../shared/network/upstream.ts";

const WITHIN_MS = 5000;

/** Requests the URL of a monitor that alerts if no request arrives. A failure is only logged. */
export async function sendHeartbeat(base: BaseCtx, url: string): Promise<void> {
  try {
    const answer = await base.upstream({ method: "GET", url, headers: {}, withinMs: WITHIN_MS });
    if (!isSuccess(answer)) log.error("heartbeat_failed", { status: answer.status });
  } catch (error) {
    log.error("heartbeat_failed", { error });
  }
}
