import type { BaseCtx } from "../../shared/context.ts";
import { log } from "../../shared/logger.ts";
import { readStatus } from "./read-status.ts";

export async function logStatus(base: BaseCtx): Promise<void> {
  log.info("status", { ...(await readStatus(base)) });
}
