import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { AppEnv } from "../../http/app-env.ts";
import { isRead, requireOwnPage } from "../../http/request/forgery.ts";
import { constantTimeEqual } from "../../shared/security/crypto.ts";
import { AppError } from "../../shared/errors.ts";
import { clientNetwork } from "../../http/request/client-network.ts";
import { DEVICE_MS, SESSION_MS, type Session } from "./members.schemas.ts";
import { forgeryToken, sealDevice, sealSession } from "./members.tokens.ts";
import { findSession, type Origin, type SignedIn } from "./access/sign-in.ts";

const isSecure = (c: Context<AppEnv>) => new URL(c.req.url).protocol === "https:";

/** A name with this prefix is kept by browsers only as this host set it: no other one, and no plain http, can. */
const cookieName = (c: Context<AppEnv>) => (isSecure(c) ? "__Host-tidings" : "tidings");
const deviceCookieName = (c: Context<AppEnv>) => `${cookieName(c)}-device`;

const attributes = (c: Context<AppEnv>) =>
  ({ path: "/", httpOnly: true, sameSite: "Lax", secure: isSecure(c) }) as const;

export const hasSessionCookie = (c: Context<AppEnv>): boolean => getCookie(c, cookieName(c)) !== undefined;

/** The session of the request's cookie, or null. */
export async function readSession(c: Context<AppEnv>): Promise<Session | null> {
  const cookie = getCookie(c, cookieName(c));
  return cookie === undefined ? null : findSession(c.var.base, cookie);
}

/** Sets the cookie of the session, and the one by which the device is known as this user's on later visits. */
export async function setSessionCookies(c: Context<AppEnv>, { token, userId }: SignedIn): Promise<void> {
  const { keySecret, now } = c.var.base;
  setCookie(c, cookieName(c), await sealSession(token, keySecret), { ...attributes(c), maxAge: SESSION_MS / 1000 });
  const device = await sealDevice(userId, now() + DEVICE_MS, keySecret);
  setCookie(c, deviceCookieName(c), device, { ...attributes(c), maxAge: DEVICE_MS / 1000 });
}

export function deleteSessionCookie(c: Context<AppEnv>): void {
  deleteCookie(c, cookieName(c), attributes(c));
}

/** Where the request's password was typed. */
export function originOf(c: Context<AppEnv>): Origin {
  const network = clientNetwork(c);
  return {
    network,
    deviceCookie: getCookie(c, deviceCookieName(c)) ?? "",
    mayTry: async () => (await c.env.SIGN_IN_LIMITER.limit({ key: network })).success,
  };
}

/** A request that changes something must come from a page that we gave to this session. Throws `forbidden`. */
export async function assertNotForged(c: Context<AppEnv>, { token }: Session, sent: string | undefined): Promise<void> {
  if (isRead(c)) return;
  requireOwnPage(c);
  if (!(await constantTimeEqual(sent ?? "", await forgeryToken(token, c.var.base.keySecret))))
    throw new AppError("forbidden", "This page is out of date. Reload it and try again.");
}
