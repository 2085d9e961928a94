import type { Context, MiddlewareHandler } from "hono";
import type { AppEnv } from "../app-env.ts";

const JSON_TYPE = /^application\/json\s*(;|$)/i;

export const isJson = (c: Context<AppEnv>): boolean => JSON_TYPE.test(c.req.header("Content-Type") ?? "");

/** Runs a middleware only for requests with a JSON body. */
export const whereJson =
  (middleware: MiddlewareHandler<AppEnv>): MiddlewareHandler<AppEnv> =>
  (c, next) =>
    isJson(c) ? middleware(c, next) : next();
