import { env } from "cloudflare:workers";
import type { Ran } from "../../support/recorded-statements.ts";
import { cpuMs } from "./report.ts";

/** workerd reports CPU time in steps of 10 ms, so a measurement must be much longer. */
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

/** CPU time of batches of empty statements, by the number of statements. */
const idle = new Map<number, number>();

/** Runs the statements again. Returns their CPU time in ms, minus the time of the same number of empty statements. */
export async function statementCpu(ran: Ran[]): Promise<number> {
  const statements = ran.map(({ database, sql, values }) => database.prepare(sql).bind(...values));
  const nothing = idle.get(ran.length) ?? (await cpuOfBatch(ran.map(() => env.DB.prepare("SELECT 1"))));
  idle.set(ran.length, nothing);
  return Math.max(0, (await cpuOfBatch(statements)) - nothing);
}
