import type { Context } from "hono";
import { AppError } from "../shared/errors.ts";
import type { AppEnv } from "./app-env.ts";

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

export const isRead = (c: Context<AppEnv>): boolean => READS.has(c.req.method);

/** Browsers say which site a request comes from; a page of another may not change anything here. Throws `forbidden`. */
export function requireOwnPage(c: Context<AppEnv>): void {
  if (isRead(c)) return;
  const site = c.req.header("Sec-Fetch-Site");
  const isOwn = site === undefined ? c.req.header("Origin") === new URL(c.req.url).origin : site === "same-origin";
  if (!isOwn) throw new AppError("forbidden", "This request does not come from a page of Tidings.");
}
