import type { Context } from "hono";
import type { AppEnv } from "./app-env.ts";

const JSON_TYPE = /^application\/json\s*(;|$)/i;

export const isJson = (c: Context<AppEnv>): boolean => JSON_TYPE.test(c.req.header("Content-Type") ?? "");
