import type { Context } from "hono";
import { networkOf } from "../../shared/network/addresses.ts";
import type { AppEnv } from "../app-env.ts";

/** The caller's network by the address that the platform reports. Limits per address count networks. */
export const clientNetwork = (c: Context<AppEnv>): string => networkOf(c.req.header("CF-Connecting-IP") ?? "local");
