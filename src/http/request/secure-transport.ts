import type { Context } from "hono";
import { isPublicAddress, isPublicHost } from "../../shared/network/addresses.ts";
import { AppError } from "../../shared/errors.ts";
import type { AppEnv } from "../app-env.ts";

/** One year. No `includeSubDomains`: the operator decides about the rest of the domain. */
const HSTS = "max-age=31536000";

/** Paths that software calls with a key, a token or messages in the request. */
const forSoftware = /^\/(?:api|manage|hooks)(?:\/|$)/;

interface Arrival {
  method: string;
  url: URL;
  /** The caller's network address, if the platform provides it. */
  address: string | undefined;
  /** True if the request has a key or token. */
  authorized: boolean;
}

/**
 * The response to plain http on a deployment; on this machine and in private networks http is served. `wrangler dev`
 * reports the host of a route in wrangler.toml, so the caller's address counts too. Pages redirect to https. A request
 * that may carry a secret is rejected, because a redirect would hide that the secret was exposed.
 */
export function transportOf({ method, url, address, authorized }: Arrival): "serve" | "redirect" | "refuse" {
  if (url.protocol === "https:" || !isPublicHost(url.hostname)) return "serve";
  if (address !== undefined && !isPublicAddress(address)) return "serve";
  const isPage = (method === "GET" || method === "HEAD") && !authorized && !forSoftware.test(url.pathname);
  return isPage ? "redirect" : "refuse";
}

/**
 * Redirects a page from http to https; throws `forbidden` for other requests over http. Null if the request may be
 * served.
 */
export function redirectInsecure(c: Context<AppEnv>): Response | null {
  const url = new URL(c.req.url);
  const { protocol, hostname, pathname, search } = url;
  const transport = transportOf({
    method: c.req.method,
    url,
    address: c.req.header("CF-Connecting-IP"),
    authorized: c.req.header("Authorization") !== undefined,
  });
  if (transport === "redirect") return c.redirect(`https://${hostname}${pathname}${search}`, 301);
  if (transport === "refuse") {
    throw new AppError(
      "forbidden",
      `Use https://${hostname}. Secrets sent over http can be intercepted: replace the key, token or password of this request.`,
    );
  }
  // On a local host this header would block everything else that is served there over http.
  if (protocol === "https:" && isPublicHost(hostname)) c.header("Strict-Transport-Security", HSTS);
  return null;
}
