import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 2 ** 30;

/** Commits to a disk are slow, so the databases are in memory if it has enough space. */
export function setup(): (() => void) | undefined {
  if (process.env["TMPDIR"] !== undefined || !existsSync(MEMORY)) return undefined;
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < ENOUGH_BYTES) return undefined;
  const dir = mkdtempSync(join(MEMORY, "tidings-"));
  process.env["TMPDIR"] = dir;
  return () => rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
