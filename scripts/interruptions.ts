import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

// If a signal ends a command, it first cleans up. Without these handlers, Node would end at once.
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const cleanups = new Set<() => void>();

/** A signal runs `cleanUp` before it ends the process. */
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

/** Runs `work` with the path of a new folder, which is deleted afterwards, also if a signal ends the process. */
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
