// Serves the requests of a bench in workerd. Stores tables, and returns workerd's CPU time and the requested size.
import { appendFileSync } from "node:fs";
import { workerdCpuMs } from "./workerd.ts";

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
