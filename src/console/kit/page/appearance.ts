// The appearance is stored in cookies, because the server must know the theme to render the page with it.
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import * as z from "zod";
import type { AppEnv } from "../../../http/app-env.ts";
import { DAY_MS, SECOND_MS } from "../../../shared/time/durations.ts";

export const themeShape = z.enum(["system", "light", "dark"]);

export type Theme = z.infer<typeof themeShape>;

const THEME = "tidings_theme";
const PERSON_PANE = "tidings_person_pane";
const MAX_AGE_S = (365 * DAY_MS) / SECOND_MS;

export const readTheme = (c: Context<AppEnv>): Theme => themeShape.catch("system").parse(getCookie(c, THEME));

function store(c: Context<AppEnv>, name: string, value: string): void {
  const secure = new URL(c.req.url).protocol === "https:";
  setCookie(c, name, value, { path: "/console", httpOnly: true, sameSite: "Lax", secure, maxAge: MAX_AGE_S });
}

export const storeTheme = (c: Context<AppEnv>, theme: Theme): void => store(c, THEME, theme);

export const personPaneShape = z.enum(["shown", "folded"]);

export type PersonPaneState = z.infer<typeof personPaneShape>;

export const readPersonPane = (c: Context<AppEnv>): PersonPaneState =>
  personPaneShape.catch("shown").parse(getCookie(c, PERSON_PANE));

export const storePersonPane = (c: Context<AppEnv>, pane: PersonPaneState): void => store(c, PERSON_PANE, pane);
