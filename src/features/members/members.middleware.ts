import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { AppEnv } from "../../http/app-env.ts";
import { isRead, requireOwnPage } from "../../http/forgery.ts";
import { constantTimeEqual } from "../../shared/crypto.ts";
import { AppError } from "../../shared/errors.ts";
import { SESSION_MS, type Session } from "./members.schemas.ts";
import { forgeryToken, sealSession } from "./members.tokens.ts";
import { findSession, type Origin } from "./sign-in.ts";

const isSecure = (c: Context<AppEnv>) => new URL(c.req.url).protocol === "https:";

/** A name with this prefix is kept by browsers only as this host set it: no other one, and no plain http, can. */
const cookieName = (c: Context<AppEnv>) => (isSecure(c) ? "__Host-tidings" : "tidings");

const attributes = (c: Context<AppEnv>) =>
  ({ path: "/", httpOnly: true, sameSite: "Lax", secure: isSecure(c) }) as const;

export const hasSessionCookie = (c: Context<AppEnv>): boolean => getCookie(c, cookieName(c)) !== undefined;

/** The session of the request's cookie, or null. */
export async function readSession(c: Context<AppEnv>): Promise<Session | null> {
  const cookie = getCookie(c, cookieName(c));
  return cookie === undefined ? null : findSession(c.var.base, cookie);
}

export async function keepSession(c: Context<AppEnv>, token: string): Promise<void> {
  const value = await sealSession(token, c.var.base.keySecret);
  setCookie(c, cookieName(c), value, { ...attributes(c), maxAge: SESSION_MS / 1000 });
}

export function dropSession(c: Context<AppEnv>): void {
  deleteCookie(c, cookieName(c), attributes(c));
}

/** Where a password comes from: an address the platform vouches for. */
export const originOf = (c: Context<AppEnv>): Origin => ({ address: c.req.header("CF-Connecting-IP") ?? "local" });

/** What changes something must come from a page that we gave to this session. Throws `forbidden`. */
export async function refuseForgery(c: Context<AppEnv>, { token }: Session, sent: string | undefined): Promise<void> {
  if (isRead(c)) return;
  requireOwnPage(c);
  if (!(await constantTimeEqual(sent ?? "", await forgeryToken(token, c.var.base.keySecret))))
    throw new AppError("forbidden", "This page is out of date. Reload it and try again.");
}
