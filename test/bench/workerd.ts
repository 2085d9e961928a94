// Reads CPU time and memory of the workerd processes that this process started. Works only on Linux.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

function workerds(): string[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" }).trim().split("\n");
  const processes = lines.map((line) => line.trim().split(/\s+/));
  const family = [String(process.pid)];
  for (const member of family)
    family.push(...processes.flatMap(([pid = "", parent]) => (parent === member ? pid : [])));
  return processes.flatMap(([pid = "", , name]) => (name === "workerd" && family.includes(pid) ? pid : []));
}

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);

interface Scheduled {
  ranMs: number;
  /** Time in which the thread could run, but waited for a processor. */
  waitedMs: number;
}

/** Times of a thread, or of a process's main thread. */
function readScheduled(directory: string): Scheduled {
  const [ran = 0, waited = 0] = readFileSync(`${directory}/schedstat`, "utf8").split(" ").map(Number);
  return { ranMs: ran / 1_000_000, waitedMs: waited / 1_000_000 };
}

/** CPU time of the live threads so far, in ms. On other systems than Linux, returns the elapsed time. */
export function workerdCpuMs(): number {
  if (process.platform !== "linux") return performance.now();
  const threads = workerds().flatMap((pid) => readdirSync(`/proc/${pid}/task`).map((id) => `/proc/${pid}/task/${id}`));
  return sum(threads.map((thread) => readScheduled(thread).ranMs));
}

/** Returns how long the main thread of this process or of workerd, the slower one, waited for a processor, in ms. */
export function watchWaits(): { now(): number[]; since(before: readonly number[]): number } {
  const directories = process.platform === "linux" ? ["self", ...workerds()].map((pid) => `/proc/${pid}`) : [];
  const now = () => directories.map((directory) => readScheduled(directory).waitedMs);
  return { now, since: (before) => Math.max(0, ...now().map((waited, index) => waited - (before[index] ?? 0))) };
}

/** The resident memory in MB: now, and the maximum. On other systems than Linux, 0. */
export function workerdMemory(): { now: number; most: number } {
  if (process.platform !== "linux") return { now: 0, most: 0 };
  const statuses = workerds().map((pid) => readFileSync(`/proc/${pid}/status`, "utf8"));
  const total = (name: string) =>
    sum(statuses.map((status) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0))) / 1024;
  return { now: total("VmRSS"), most: total("VmHWM") };
}

export function killWorkerd(): void {
  for (const pid of workerds()) process.kill(Number(pid), "SIGKILL");
}
