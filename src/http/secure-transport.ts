import type { Context } from "hono";
import { isPublicAddress, isPublicHost } from "../shared/addresses.ts";
import { AppError } from "../shared/errors.ts";
import type { AppEnv } from "./app-env.ts";

/** A year. Without `includeSubDomains`: what else is on the operator's domain is theirs to decide. */
const HSTS = "max-age=31536000";

/** Paths that software calls, with a key, a token or people's messages in the request. */
const forSoftware = /^\/(?:api|manage|hooks)(?:\/|$)/;

interface Arrival {
  method: string;
  url: URL;
  /** The caller's network address, where the platform gives it. */
  address: string | undefined;
  /** True where it carries a key or token. */
  authorized: boolean;
}

/**
 * The answer to a request that came over http where Tidings is deployed; on this machine and in private networks it is
 * served. `wrangler dev` names the host of a route in wrangler.toml, so the caller's address counts too. A page moves to https;
 * a request that may have carried a secret is refused, since a redirect would hide that the secret has been shown.
 */
export function transportOf({ method, url, address, authorized }: Arrival): "serve" | "redirect" | "refuse" {
  if (url.protocol === "https:" || !isPublicHost(url.hostname)) return "serve";
  if (address !== undefined && !isPublicAddress(address)) return "serve";
  const isPage = (method === "GET" || method === "HEAD") && !authorized && !forSoftware.test(url.pathname);
  return isPage ? "redirect" : "refuse";
}

/** Redirects a page that came over http; throws `forbidden` for any other request over http. Null where it may be served. */
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
      `Use https://${hostname}. What came over http could be read on its way: replace the key, token or password it carried.`,
    );
  }
  // On a local host it would keep browsers from everything else that is served there over http.
  if (protocol === "https:" && isPublicHost(hostname)) c.header("Strict-Transport-Security", HSTS);
  return null;
}
