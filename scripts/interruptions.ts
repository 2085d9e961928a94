import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

// If one of these signals arrives, the command runs its cleanups before it ends. Without the handlers, Node would end
// the process at once, and temporary files would remain.
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const cleanups = new Set<() => void>();

export function addCleanup(cleanUp: () => void): void {
  if (cleanups.size === 0) for (const signal of SIGNALS) process.on(signal, end);
  cleanups.add(cleanUp);
}

export function removeCleanup(cleanUp: () => void): void {
  cleanups.delete(cleanUp);
  if (cleanups.size === 0) for (const signal of SIGNALS) process.off(signal, end);
}

function end(_signal: string, number: number): void {
  for (const cleanUp of [...cleanups].toReversed()) cleanUp();
  process.exit(128 + number);
}

/** Creates a folder for `work` and deletes it afterwards, even if `work` throws or a signal ends the process. */
export async function inTemporaryFolder<T>(name: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `tidings-${name}-`));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  addCleanup(remove);
  try {
    return await work(folder);
  } finally {
    remove();
    removeCleanup(remove);
  }
}
