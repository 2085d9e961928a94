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
  address: string | undefined;
  authorized: boolean;
}

/**
 * Over http only this machine and private networks are served. `wrangler dev` reports the host of a route in wrangler.toml, so
 * the caller's address counts too. A request that may carry a secret is rejected, because a redirect would hide that the secret
 * was exposed.
 */
export function transportOf({ method, url, address, authorized }: Arrival): "serve" | "redirect" | "refuse" {
  if (url.protocol === "https:" || !isPublicHost(url.hostname)) return "serve";
  if (address !== undefined && !isPublicAddress(address)) return "serve";
  const isPage = (method === "GET" || method === "HEAD") && !authorized && !forSoftware.test(url.pathname);
  return isPage ? "redirect" : "refuse";
}

/** Null if the request may be served. Throws `forbidden` for a request over http that is not for a page. */
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
