// The colours that a reader has chosen for all of the console, in a cookie, so that pages are painted in them at once.
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import * as z from "zod";
import type { AppEnv } from "../../http/app-env.ts";
import { DAY_MS, SECOND_MS } from "../../shared/durations.ts";

export const themeShape = z.enum(["system", "light", "dark"]);

export type Theme = z.infer<typeof themeShape>;

const COOKIE = "tidings_theme";
const MAX_AGE_S = (365 * DAY_MS) / SECOND_MS;

/** `system` where none was chosen. */
export const readTheme = (c: Context<AppEnv>): Theme => themeShape.catch("system").parse(getCookie(c, COOKIE));

export function storeTheme(c: Context<AppEnv>, theme: Theme): void {
  const secure = new URL(c.req.url).protocol === "https:";
  setCookie(c, COOKIE, theme, { path: "/console", httpOnly: true, sameSite: "Lax", secure, maxAge: MAX_AGE_S });
}
