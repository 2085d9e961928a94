import type { Context } from "hono";
import { networkOf } from "../shared/addresses.ts";
import type { AppEnv } from "./app-env.ts";

/** The network a request comes from, by the address that the platform vouches for; limits by address count these. */
export const clientNetwork = (c: Context<AppEnv>): string => networkOf(c.req.header("CF-Connecting-IP") ?? "local");
