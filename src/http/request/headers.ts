import type { Context, MiddlewareHandler } from "hono";
import { networkOf } from "../../shared/network/addresses.ts";
import type { AppEnv } from "../app-env.ts";

export const clientNetwork = (c: Context<AppEnv>): string => networkOf(c.req.header("CF-Connecting-IP") ?? "local");

export const bearerToken = (header: string | undefined): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1];

const JSON_TYPE = /^application\/json\s*(;|$)/i;

export const isJson = (c: Context<AppEnv>): boolean => JSON_TYPE.test(c.req.header("Content-Type") ?? "");

export const whereJson =
  (middleware: MiddlewareHandler<AppEnv>): MiddlewareHandler<AppEnv> =>
  (c, next) =>
    isJson(c) ? middleware(c, next) : next();
