import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import * as z from "zod";
import type { AppEnv } from "../../../http/app-env.ts";

const noticeLink = z.object({ text: z.string(), href: z.string().startsWith("/console/") });

const noticeShape = z.object({
  kind: z.enum(["done", "error"]),
  text: z.string(),
  links: z.array(noticeLink).default([]),
  undo: z
    .object({ action: z.string().startsWith("/console/"), fields: z.record(z.string(), z.string()) })
    .nullable()
    .default(null),
});

export type Notice = z.infer<typeof noticeShape>;

const COOKIE = "tidings_flash";
const PATH = "/console";

/** The notice is stored in a cookie. Browsers accept 4,096 bytes for a cookie, including its attributes. */
const MAX_ENCODED = 3900;

function fitNotice(notice: Notice): string {
  const value = JSON.stringify(notice);
  return encodeURIComponent(value).length <= MAX_ENCODED ? value : JSON.stringify({ ...notice, undo: null });
}

export function storeNotice(c: Context<AppEnv>, notice: Notice): void {
  const secure = new URL(c.req.url).protocol === "https:";
  setCookie(c, COOKIE, fitNotice(notice), { path: PATH, httpOnly: true, sameSite: "Lax", secure, maxAge: 60 });
}

/**
 * True if the response is a full page. If a script requested it to save a form or to update a part, the user
 * would not see the notice.
 */
const showsNotices = (c: Context<AppEnv>): boolean => c.req.method === "GET" && c.req.header("X-Refresh") === undefined;

export function readNotice(c: Context<AppEnv>): Notice | null {
  if (!showsNotices(c)) return null;
  try {
    return noticeShape.parse(JSON.parse(getCookie(c, COOKIE) ?? ""));
  } catch {
    return null;
  }
}

export function clearNotice(c: Context<AppEnv>): void {
  if (showsNotices(c) && getCookie(c, COOKIE) !== undefined) deleteCookie(c, COOKIE, { path: PATH });
}
