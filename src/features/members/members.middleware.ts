import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { AppEnv } from "../../http/app-env.ts";
import { isRead, requireOwnPage } from "../../http/request/forgery.ts";
import { constantTimeEqual } from "../../shared/security/crypto.ts";
import { AppError } from "../../shared/errors.ts";
import { clientNetwork } from "../../http/request/headers.ts";
import { DEVICE_MS, SESSION_MS, type Session } from "./members.schemas.ts";
import { forgeryToken, sealDevice, sealSession } from "./members.tokens.ts";
import { findSession, type Origin, type SignedIn } from "./access/sign-in.ts";

const isSecure = (c: Context<AppEnv>) => new URL(c.req.url).protocol === "https:";

/** Browsers accept a cookie name with the prefix `__Host-` only from this host and over https. */
const cookieName = (c: Context<AppEnv>) => (isSecure(c) ? "__Host-tidings" : "tidings");
const deviceCookieName = (c: Context<AppEnv>) => `${cookieName(c)}-device`;

const attributes = (c: Context<AppEnv>) =>
  ({ path: "/", httpOnly: true, sameSite: "Lax", secure: isSecure(c) }) as const;

export const hasSessionCookie = (c: Context<AppEnv>): boolean => getCookie(c, cookieName(c)) !== undefined;

export async function readSession(c: Context<AppEnv>): Promise<Session | null> {
  const cookie = getCookie(c, cookieName(c));
  return cookie === undefined ? null : findSession(c.var.base, cookie);
}

export async function setSessionCookies(c: Context<AppEnv>, { token, userId }: SignedIn): Promise<void> {
  const { keySecret, now } = c.var.base;
  setCookie(c, cookieName(c), await sealSession(token, keySecret), { ...attributes(c), maxAge: SESSION_MS / 1000 });
  const device = await sealDevice(userId, now() + DEVICE_MS, keySecret);
  setCookie(c, deviceCookieName(c), device, { ...attributes(c), maxAge: DEVICE_MS / 1000 });
}

export function deleteSessionCookie(c: Context<AppEnv>): void {
  deleteCookie(c, cookieName(c), attributes(c));
}

export function originOf(c: Context<AppEnv>): Origin {
  const network = clientNetwork(c);
  return {
    network,
    deviceCookie: getCookie(c, deviceCookieName(c)) ?? "",
    mayTry: async () => (await c.env.SIGN_IN_LIMITER.limit({ key: network })).success,
  };
}

export async function assertNotForged(c: Context<AppEnv>, { token }: Session, sent: string | undefined): Promise<void> {
  if (isRead(c)) return;
  requireOwnPage(c);
  if (!(await constantTimeEqual(sent ?? "", await forgeryToken(token, c.var.base.keySecret))))
    throw new AppError("forbidden", "This page is out of date. Reload it and try again.");
}
