import type { Context } from "hono";
import { AppError } from "../../shared/errors.ts";
import type { AppEnv } from "../app-env.ts";

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

export const isRead = (c: Context<AppEnv>): boolean => READS.has(c.req.method);

/** Rejects a change that a page of another site sends. The browser sends the site in the header `Sec-Fetch-Site`. */
export function requireOwnPage(c: Context<AppEnv>): void {
  if (isRead(c)) return;
  const site = c.req.header("Sec-Fetch-Site");
  const isOwn = site === undefined ? c.req.header("Origin") === new URL(c.req.url).origin : site === "same-origin";
  if (!isOwn) throw new AppError("forbidden", "This request does not come from a page of Tidings.");
}

/**
 * Browsers send the session cookie also if a page of another site opens the socket, so this requires a page of
 * this origin.
 */
export function requireSameOrigin(c: Context<AppEnv>): void {
  if (c.req.header("Origin") !== new URL(c.req.url).origin)
    throw new AppError("forbidden", "This request does not come from a page of Tidings.");
}

const LOCAL_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Accepts requests of programs, which send no Origin header, and of pages of the configured public URL. Pages
 * of this server's own origin are accepted only if the host has a local name: any other name could be pointed
 * at this server by DNS rebinding.
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
