import { createMiddleware } from "hono/factory";
import type { AppEnv } from "./app-env.ts";

/** Security headers. The referrer is sent to our own origin only: the console recognises its forms by it. */
const securityHeaders = Object.entries({
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Origin-Agent-Cluster": "?1",
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  "X-DNS-Prefetch-Control": "off",
  "X-Frame-Options": "SAMEORIGIN",
});

/** An id as callers may choose it. */
const REQUEST_ID = /^[\w\-=]{1,255}$/;

/** Gives every answer its request's id and the security headers. One layer, as each takes time in every request. */
export const setCommonHeaders = (newRequestId: () => string) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const sent = c.req.header("X-Request-Id");
    const requestId = sent !== undefined && REQUEST_ID.test(sent) ? sent : newRequestId();
    c.set("requestId", requestId);
    c.header("X-Request-Id", requestId);
    await next();
    const { headers } = c.res;
    for (const [name, value] of securityHeaders) headers.set(name, value);
  });
