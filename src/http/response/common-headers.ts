import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../app-env.ts";

/** Security headers. Only our own origin receives the referrer: the console recognizes its forms by it. */
const securityHeaders = Object.entries({
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Origin-Agent-Cluster": "?1",
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  "X-DNS-Prefetch-Control": "off",
  "X-Frame-Options": "SAMEORIGIN",
});

/** An id that a caller may choose. */
const REQUEST_ID = /^[\w\-=]{1,255}$/;

/** Adds the request id and the security headers to every response. One middleware, because each costs time. */
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
