// Reads CPU time and memory of the workerd processes that this process started. Works only on Linux.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

function workerds(): string[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" }).trim().split("\n");
  const processes = lines.map((line) => line.trim().split(/\s+/));
  const family = [String(process.pid)];
  for (const member of family)
    family.push(...processes.flatMap(([pid = "", parent]) => (parent === member ? pid : [])));
  return processes.flatMap(([pid = "", , name]) => (name === "workerd" && family.includes(pid) ? pid : []));
}

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);

/** The CPU time so far, in ms. On other systems than Linux, the elapsed time. */
export function workerdCpuMs(): number {
  if (process.platform !== "linux") return performance.now();
  const ticks = workerds().flatMap((pid) => {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ").slice(11, 13) ?? [];
    return [Number(user), Number(system)];
  });
  return (sum(ticks) * 1000) / TICKS_PER_SECOND;
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
