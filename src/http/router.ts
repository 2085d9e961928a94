import type { Result, Router } from "hono/router";
import { RegExpRouter } from "hono/router/reg-exp-router";

/**
 * Finds a route by one regular expression, in a fraction of the time that a search by the path's parts takes. It cannot tell
 * a fixed name from a parameter in its place (`/contacts/batch`, `/contacts/:id`), so paths without parameters are found first,
 * by themselves.
 */
export class FixedPathsFirstRouter<T> implements Router<T> {
  readonly name = "FixedPathsFirstRouter";
  readonly #fixedPaths = new Set<string>();
  readonly #fixed: Router<T> = new RegExpRouter();
  readonly #withParams: Router<T> = new RegExpRouter();

  add(method: string, path: string, handler: T): void {
    const isPattern = path.endsWith("*");
    const hasParams = path.includes(":");
    if (isPattern || !hasParams) this.#fixed.add(method, path, handler);
    if (isPattern || hasParams) this.#withParams.add(method, path, handler);
    if (!isPattern && !hasParams) this.#fixedPaths.add(path);
  }

  match(method: string, path: string): Result<T> {
    return (this.#fixedPaths.has(path) ? this.#fixed : this.#withParams).match(method, path);
  }
}
