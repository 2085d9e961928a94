import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { expect, it } from "vitest";
import worker from "../../../src/index.ts";
import { World } from "../../support/world.ts";
import { cpuMs, Table } from "./report.ts";

const ROUNDS = 30;
const REQUESTS = 100;

/** CPU of workerd as a whole, so D1 and the Durable Object count too. Routes take turns, so that all meet the same machine. */
it("tells the CPU of a request as a ratio to a route that does nothing", async () => {
  const world = new World({ EXPOSE_COST: "false" });
  const customer = await world.customer({ key: { rate_limit: { requests: 10_000, window_seconds: 20 } } });
  const { body: sent } = await customer.send("+14155552671");
  const ask = async (path: string, token: string | null): Promise<number> => {
    const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
    const ctx = createExecutionContext();
    const response = await worker.fetch(new Request(`http://tidings.test${path}`, { headers }), world.env, ctx);
    await response.arrayBuffer();
    await waitOnExecutionContext(ctx);
    return response.status;
  };
  const forged = `tdg_${"a".repeat(38)}`;
  const routes = [
    { name: "GET /health, which does nothing", status: 200, path: "/health", token: null },
    { name: "forged key", status: 401, path: "/api/v1/conversations", token: forged },
    { name: "authenticated, unknown path", status: 404, path: "/api/v1/nothing", token: customer.key },
    {
      name: "authenticated, GET /messages/:id",
      status: 200,
      path: `/api/v1/messages/${sent.message_id}`,
      token: customer.key,
    },
    { name: "authenticated, GET /conversations", status: 200, path: "/api/v1/conversations", token: customer.key },
  ].map((route) => ({ ...route, ms: 0 }));

  for (let round = -1; round < ROUNDS; round++) {
    for (const route of routes) {
      const before = await cpuMs();
      for (let request = 0; request < REQUESTS; request++)
        expect(await ask(route.path, route.token)).toBe(route.status);
      if (round >= 0) route.ms += (await cpuMs()) - before;
    }
  }

  const table = new Table("CPU of workerd, routes in turn in one run", ["request", "ms", "ratio"]);
  const nothing = routes[0]?.ms ?? 0;
  for (const { name, ms } of routes) {
    table.add([name, (ms / ROUNDS / REQUESTS).toFixed(2), (ms / nothing).toFixed(1)], "", null);
  }
  await table.show();
});
