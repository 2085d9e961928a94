import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import * as z from "zod";
import type { AppEnv } from "../../../http/app-env.ts";

const noticeLink = z.object({ text: z.string(), href: z.string().startsWith("/console/") });

/** A text that the next page shows once, after a redirect. `links` follow the text. */
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

/** Maximum cookie value. With attributes it stays within the 4,096 bytes that browsers keep. */
const MAX_ENCODED = 3900;

/** A notice that is too long drops its undo: the text matters more. */
function fitNotice(notice: Notice): string {
  const value = JSON.stringify(notice);
  return encodeURIComponent(value).length <= MAX_ENCODED ? value : JSON.stringify({ ...notice, undo: null });
}

export function storeNotice(c: Context<AppEnv>, notice: Notice): void {
  const secure = new URL(c.req.url).protocol === "https:";
  setCookie(c, COOKIE, fitNotice(notice), { path: PATH, httpOnly: true, sameSite: "Lax", secure, maxAge: 60 });
}

/** Form responses and partial page loads wouldn't show the notice, so it waits for the next full page load. */
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
