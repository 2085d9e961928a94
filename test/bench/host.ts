// What a bench inside workerd asks of the outside: to hand over its tables, how much CPU workerd has used, how much to fill in.
import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** CPU time of the workerd processes below this one, in ms. Elsewhere than on Linux, where it cannot be known well, time. */
function workerdCpuMs(): number {
  if (process.platform !== "linux") return performance.now();
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" }).trim().split("\n");
  const processes = lines.map((line) => line.trim().split(/\s+/));
  const family = [String(process.pid)];
  for (const member of family)
    family.push(...processes.flatMap(([pid = "", parent]) => (parent === member ? pid : [])));
  const pids = processes.flatMap(([pid = "", , name]) => (name === "workerd" && family.includes(pid) ? pid : []));
  const ticks = pids.flatMap((pid) => {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ").slice(11, 13) ?? [];
    return [Number(user), Number(system)];
  });
  return (ticks.reduce((sum, each) => sum + each, 0) * 1000) / TICKS_PER_SECOND;
}

export async function host(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === "/cpu") return Response.json({ ms: workerdCpuMs() });
  if (pathname === "/size") return Response.json({ contacts: Number(process.env["BENCH_SIZE"] || 1_000_000) });
  const report = process.env["BENCH_REPORT"];
  const table = await request.text();
  if (report === undefined) console.log(table);
  else appendFileSync(report, `${table}\n`);
  return new Response();
}
