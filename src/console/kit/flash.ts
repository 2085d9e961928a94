import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import * as z from "zod";
import type { AppEnv } from "../../http/app-env.ts";

const link = z.object({ text: z.string(), href: z.string().startsWith("/console/") });

/** What the next page says once, after a redirect; `links` follow the text. */
const flash = z.object({ kind: z.enum(["done", "error"]), text: z.string(), links: z.array(link).default([]) });

export type Flash = z.infer<typeof flash>;

const COOKIE = "tidings_flash";
const PATH = "/console";

export function leaveFlash(c: Context<AppEnv>, said: Flash): void {
  const secure = new URL(c.req.url).protocol === "https:";
  setCookie(c, COOKIE, JSON.stringify(said), { path: PATH, httpOnly: true, sameSite: "Lax", secure, maxAge: 60 });
}

/** What the page before left, or null. */
export function readFlash(c: Context<AppEnv>): Flash | null {
  try {
    return flash.parse(JSON.parse(getCookie(c, COOKIE) ?? ""));
  } catch {
    return null;
  }
}

/** Once a page has said it. */
export function dropFlash(c: Context<AppEnv>): void {
  if (getCookie(c, COOKIE) !== undefined) deleteCookie(c, COOKIE, { path: PATH });
}
