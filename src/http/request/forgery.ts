import type { Context } from "hono";
import { AppError } from "../../shared/errors.ts";
import type { AppEnv } from "../app-env.ts";

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

export const isRead = (c: Context<AppEnv>): boolean => READS.has(c.req.method);

/** Rejects writes from pages of other origins. For browsers without `Sec-Fetch-Site`, `Origin` is checked. */
export function requireOwnPage(c: Context<AppEnv>): void {
  if (isRead(c)) return;
  const site = c.req.header("Sec-Fetch-Site");
  const isOwn = site === undefined ? c.req.header("Origin") === new URL(c.req.url).origin : site === "same-origin";
  if (!isOwn) throw new AppError("forbidden", "This request does not come from a page of Tidings.");
}

/** Protects the socket: browsers send the session cookie even if a page of another site opens it. */
export function requireSameOrigin(c: Context<AppEnv>): void {
  if (c.req.header("Origin") !== new URL(c.req.url).origin)
    throw new AppError("forbidden", "This request does not come from a page of Tidings.");
}

const LOCAL_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Accepts requests from programs, which send no `Origin`, and from pages of the configured public URL. A page of the
 * requested origin is accepted only if its host name is local, because an attacker can point any other name at this
 * server (DNS rebinding).
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
