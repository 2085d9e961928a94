// Minimum costs: an empty response, one round trip to D1, one call of a Durable Object, one whole file in memory, and
// the recorded work of calls of the product.
import { DurableObject } from "cloudflare:workers";
import type { KeyPolicy, Verdict } from "../../../src/features/rate-limits/rate-limits.schemas.ts";
import type { RecordedCalls, RecordedStatement } from "./recorded-call.ts";

export class Floor extends DurableObject {
  admit({ requests, windowSeconds }: KeyPolicy): Verdict {
    const quota = { requests: requests ?? 0, windowSeconds, remaining: 1, resetMs: 1 };
    return { outcome: "admitted", stale: false, quota };
  }
}

interface Bindings {
  DB: D1Database;
  /** A copy of the product's database before the recorded calls, so that their writes run for the first time. */
  COPY: D1Database;
  FLOOR: DurableObjectNamespace<Floor>;
}

const policy = { keyId: "key", revision: 1, revoked: false, expiresAt: null, requests: 100, windowSeconds: 60 };

const callObject = ({ FLOOR }: Bindings, index = 0) => FLOOR.getByName(`floor-${index}`).admit(policy);

let recorded: RecordedCalls = { texts: [], calls: {} };

async function runTrip({ COPY }: Bindings, statements: RecordedStatement[]): Promise<unknown[][]> {
  const prepared = statements.map(([text, values]) => COPY.prepare(recorded.texts[text] ?? "").bind(...values));
  const [only] = prepared;
  const results = prepared.length === 1 && only !== undefined ? [await only.all()] : await COPY.batch(prepared);
  return results.map(({ results: rows }) => rows);
}

/** Does the recorded work in the recorded order, and returns the rows of the trips before the response. */
async function replay(env: Bindings, path: string, context: ExecutionContext): Promise<Response> {
  const [name = "", index] = decodeURIComponent(path).split("/");
  const work = recorded.calls[name]?.[Number(index)];
  if (work === undefined) return new Response(`No recorded call ${path}.`, { status: 500 });
  for (let object = 0; object < work.objects; object++) await callObject(env, object);
  const rows: unknown[] = [];
  for (const trip of work.trips) rows.push(await runTrip(env, trip));
  const afterResponse = async () => {
    for (const trip of work.laterTrips) await runTrip(env, trip);
  };
  context.waitUntil(afterResponse());
  return Response.json({ success: true, rows });
}

export default {
  async fetch(request: Request, env: Bindings, context: ExecutionContext): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/replay/")) return replay(env, pathname.slice("/replay/".length), context);
    if (pathname === "/recorded") recorded = await request.json();
    if (pathname === "/copy") await env.COPY.prepare("SELECT 1").all();
    if (pathname === "/trip") await env.DB.prepare("SELECT 1").all();
    if (pathname === "/object") await callObject(env);
    if (pathname === "/hold" && request.body !== null) await Array.fromAsync(request.body);
    return Response.json({ success: true });
  },
};
