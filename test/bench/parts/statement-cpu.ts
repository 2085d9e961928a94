import { env } from "cloudflare:workers";
import type { Ran } from "../../support/recorded-statements.ts";
import { cpuMs } from "./report.ts";

/** workerd reports its CPU time in steps of 10 ms. */
const ENOUGH_MS = 200;
const MAX_COPIES = 512;

async function cpuOfBatch(statements: D1PreparedStatement[]): Promise<number> {
  await env.DB.batch(statements);
  for (let copies = 1; ; copies *= 4) {
    const before = await cpuMs();
    for (let copy = 0; copy < copies; copy++) await env.DB.batch(statements);
    const ms = (await cpuMs()) - before;
    if (ms >= ENOUGH_MS || copies * 4 > MAX_COPIES) return ms / copies;
  }
}

/** CPU time of batches of empty statements, by their length. */
const idle = new Map<number, number>();

/** CPU time in ms of these statements, run again, minus the time of as many empty statements. */
export async function statementCpu(ran: Ran[]): Promise<number> {
  const statements = ran.map(({ database, sql, values }) => database.prepare(sql).bind(...values));
  const nothing = idle.get(ran.length) ?? (await cpuOfBatch(ran.map(() => env.DB.prepare("SELECT 1"))));
  idle.set(ran.length, nothing);
  return Math.max(0, (await cpuOfBatch(statements)) - nothing);
}
