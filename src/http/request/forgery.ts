import type { Context } from "hono";
import { AppError } from "../../shared/errors.ts";
import type { AppEnv } from "../app-env.ts";

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

export const isRead = (c: Context<AppEnv>): boolean => READS.has(c.req.method);

/** Browsers send the site of the page in a header. A change that another site's page sends is rejected. */
export function requireOwnPage(c: Context<AppEnv>): void {
  if (isRead(c)) return;
  const site = c.req.header("Sec-Fetch-Site");
  const isOwn = site === undefined ? c.req.header("Origin") === new URL(c.req.url).origin : site === "same-origin";
  if (!isOwn) throw new AppError("forbidden", "This request does not come from a page of Tidings.");
}

/** Browsers send the session cookie for sockets from any origin, so the origin must be checked. */
export function requireSameOrigin(c: Context<AppEnv>): void {
  if (c.req.header("Origin") !== new URL(c.req.url).origin)
    throw new AppError("forbidden", "This request does not come from a page of Tidings.");
}

const LOCAL_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Programs send no Origin header. DNS rebinding can point any name at this server. The request's own origin
 * is therefore accepted only for local names.
 */
export function requireOwnOrigin(c: Context<AppEnv>): void {
  const origin = c.req.header("Origin");
  if (origin === undefined) return;
  const { publicUrl } = c.var.base;
  const { origin: requested, hostname } = new URL(c.req.url);
  const own = publicUrl === null ? null : new URL(publicUrl).origin;
  if (origin === own || (origin === requested && LOCAL_HOSTS.has(hostname))) return;
  throw new AppError("forbidden", "This request comes from a page of another origin.");
}
