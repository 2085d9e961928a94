// The product. A request with the header `Record` also stores the call's statements and calls of objects, under the
// name in the header. `GET /recorded` returns them.
import product from "../../../src/index.ts";
import { meter } from "../../../src/http/response/cost.ts";
import { type Ran, Recording } from "../../support/recorded-statements.ts";
import type { RecordedCalls, RecordedStatement } from "./recorded-call.ts";

// The Durable Objects.
export * from "../../../src/index.ts";

const recorded: RecordedCalls = { texts: [], calls: {} };
const indexes = new Map<string, number>();

function compact({ sql, values }: Ran): RecordedStatement {
  const index = indexes.get(sql) ?? recorded.texts.push(sql) - 1;
  indexes.set(sql, index);
  return [index, values];
}

const tripsOf = (statements: Ran[]): RecordedStatement[][] =>
  [...Map.groupBy(statements, ({ trip }) => trip).values()].map((trip) => trip.map(compact));

async function record(name: string, request: Request, env: Env): Promise<Response> {
  const recording = new Recording();
  const { env: metered, header } = meter({ ...env, DB: recording.of(env.DB), REQUEST_LOG_DELAY_MS: "0" });
  const background: Promise<unknown>[] = [];
  const waitUntil = (work: Promise<unknown>) => void background.push(work);
  const context = { waitUntil, passThroughOnException() {}, props: {} };
  const response = await product.fetch(request, { ...metered, REQUEST_LOG: env.REQUEST_LOG }, context);
  const trips = tripsOf(recording.take());
  for (const work of background) await work;
  const objects = Number(/calls=(\d+)/.exec(header())?.[1]);
  (recorded.calls[name] ??= []).push({ objects, trips, laterTrips: tripsOf(recording.take()) });
  return response;
}

export default {
  ...product,
  fetch(request: Request, env: Env, context: ExecutionContext) {
    if (new URL(request.url).pathname === "/recorded") return Response.json(recorded);
    const name = request.headers.get("Record");
    return name === null ? product.fetch(request, env, context) : record(name, request, env);
  },
};
