import type { Hono } from "hono";
import { AppError } from "../shared/errors.ts";
import type { AppEnv } from "./app-env.ts";
import type { Endpoint } from "./endpoint-spec.ts";

export type Route = Pick<Endpoint, "method" | "path" | "handlers">;

function allowed(routes: Route[]): string {
  const methods = routes.map(({ method }) => method.toUpperCase());
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}

const paramsIn = (path: string) => path.split(":").length - 1;

export function mount(app: Hono<AppEnv>, base: string, routes: readonly Route[]): void {
  // Mounts paths with fewer parameters first, such as `/contacts/batch` before `/contacts/:id`, because Hono
  // uses the first path that matches.
  const byPath = [...Map.groupBy(routes, ({ path }) => path)].toSorted(([a], [b]) => paramsIn(a) - paramsIn(b));
  for (const [path, sharing] of byPath) {
    for (const { method, handlers } of sharing) app.on(method.toUpperCase(), [base + path], ...handlers);
    const allow = allowed(sharing);
    app.all(base + path, (c) => {
      c.header("Allow", allow);
      if (c.req.method === "OPTIONS") return c.body(null, 204);
      throw new AppError("method_not_allowed", `This path allows ${allow}.`);
    });
  }
}
