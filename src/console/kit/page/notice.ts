import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import * as z from "zod";
import type { AppEnv } from "../../../http/app-env.ts";

const noticeLink = z.object({ text: z.string(), href: z.string().startsWith("/console/") });

/** A text that the next page shows once, after a redirect; `links` follow the text. */
const noticeShape = z.object({
  kind: z.enum(["done", "error"]),
  text: z.string(),
  links: z.array(noticeLink).default([]),
  /** A form that takes back what was done. */
  undo: z
    .object({ action: z.string().startsWith("/console/"), fields: z.record(z.string(), z.string()) })
    .nullable()
    .default(null),
});

export type Notice = z.infer<typeof noticeShape>;

const COOKIE = "tidings_flash";
const PATH = "/console";

/** Bytes of a notice as the cookie has it. With the cookie's attributes it stays within the 4,096 that browsers keep. */
const MAX_ENCODED = 3900;

/** A notice that would not fit goes without its undo: the text counts more. */
function fitNotice(notice: Notice): string {
  const value = JSON.stringify(notice);
  return encodeURIComponent(value).length <= MAX_ENCODED ? value : JSON.stringify({ ...notice, undo: null });
}

export function storeNotice(c: Context<AppEnv>, notice: Notice): void {
  const secure = new URL(c.req.url).protocol === "https:";
  setCookie(c, COOKIE, fitNotice(notice), { path: PATH, httpOnly: true, sameSite: "Lax", secure, maxAge: 60 });
}

/** The answer to a form, and a page that is fetched for some of its parts, would show it to nobody: it is for the page that is opened next. */
const showsNotices = (c: Context<AppEnv>): boolean => c.req.method === "GET" && c.req.header("X-Refresh") === undefined;

/** The notice that the previous request stored, or null. */
export function readNotice(c: Context<AppEnv>): Notice | null {
  if (!showsNotices(c)) return null;
  try {
    return noticeShape.parse(JSON.parse(getCookie(c, COOKIE) ?? ""));
  } catch {
    return null;
  }
}

/** Called once a page has shown the notice. */
export function clearNotice(c: Context<AppEnv>): void {
  if (showsNotices(c) && getCookie(c, COOKIE) !== undefined) deleteCookie(c, COOKIE, { path: PATH });
}
