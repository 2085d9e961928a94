import type { Hono, MiddlewareHandler } from "hono";
import { AppError } from "../shared/errors.ts";
import type { AppEnv } from "./app-env.ts";
import type { Endpoint } from "./endpoint-spec.ts";
import { isJson } from "./json-type.ts";
import { limitBody } from "./read-body.ts";

const MEGABYTE = 1_048_576;

export type Route = Pick<Endpoint, "method" | "path" | "handle"> & Partial<Pick<Endpoint, "takesBytes">>;

function allowed(routes: Route[]): string {
  const methods = routes.map(({ method }) => method.toUpperCase());
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}

/** Routes endpoints below `base`; a known path answers OPTIONS, and 405 with `Allow` to any other method. */
export function mount(app: Hono<AppEnv>, base: string, endpoints: Route[], { megabytes = 1 } = {}): void {
  const limit = limitBody(megabytes * MEGABYTE, `A body may hold ${megabytes} MB at most.`);
  // Files have a limit of their own, and are not held in memory to be counted.
  const limitJson: MiddlewareHandler<AppEnv> = (c, next) => (isJson(c) ? limit(c, next) : next());
  for (const [path, routes] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    for (const { method, takesBytes = false, handle } of routes)
      app.on(method.toUpperCase(), base + path, takesBytes ? limitJson : limit, handle);
    const allow = allowed(routes);
    app.all(base + path, (c) => {
      c.header("Allow", allow);
      if (c.req.method === "OPTIONS") return c.body(null, 204);
      throw new AppError("method_not_allowed", `This path allows ${allow}.`);
    });
  }
}
