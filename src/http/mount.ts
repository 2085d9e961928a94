import type { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { AppError } from "../shared/errors.ts";
import type { AppEnv } from "./app-env.ts";
import type { Endpoint } from "./endpoint.ts";

const MEGABYTE = 1_048_576;

const limitBody = (megabytes: number) =>
  bodyLimit({
    maxSize: megabytes * MEGABYTE,
    onError: () => {
      throw new AppError("payload_too_large", `A body may hold ${megabytes} MB at most.`);
    },
  });

export type Route = Pick<Endpoint, "method" | "path" | "handle">;

function allowed(endpoints: Route[], path: string): string {
  const methods = endpoints.filter((endpoint) => endpoint.path === path).map(({ method }) => method.toUpperCase());
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}

/** `/contacts/batch` before `/contacts/:id`, which would match it too. */
const literalFirst = (a: string, b: string) => (a.replaceAll(":", "~") < b.replaceAll(":", "~") ? -1 : 1);

/** Routes endpoints below `base`; a known path answers OPTIONS, and 405 with `Allow` to any other method. */
export function mount(app: Hono<AppEnv>, base: string, endpoints: Route[], { megabytes = 1 } = {}): void {
  const limit = limitBody(megabytes);
  for (const path of [...new Set(endpoints.map((endpoint) => endpoint.path))].toSorted(literalFirst)) {
    for (const { method, handle } of endpoints.filter((endpoint) => endpoint.path === path)) {
      app.on(method.toUpperCase(), base + path, limit, handle);
    }
    const allow = allowed(endpoints, path);
    app.all(base + path, (c) => {
      c.header("Allow", allow);
      if (c.req.method === "OPTIONS") return c.body(null, 204);
      throw new AppError("method_not_allowed", `This path allows ${allow}.`);
    });
  }
}
