import type { Context } from "hono";
import { isPublicAddress, isPublicHost } from "../../shared/network/addresses.ts";
import { AppError } from "../../shared/errors.ts";
import type { AppEnv } from "../app-env.ts";

/** One year. Without `includeSubDomains`, which would affect other hosts of the operator's domain. */
const HSTS = "max-age=31536000";

/**
 * Only programs use these paths, with requests that contain keys, tokens or messages. Plain http is
 * therefore refused instead of redirected.
 */
const forSoftware = /^\/(?:api|manage|hooks)(?:\/|$)/;

interface Arrival {
  method: string;
  url: URL;
  address: string | undefined;
  authorized: boolean;
}

/**
 * Serves plain http only on this machine and in private networks. `wrangler dev` reports the host from
 * wrangler.toml, so the client's address is checked, too. Refuses a request with a secret, because a
 * redirect would hide that the secret was exposed.
 */
export function transportOf({ method, url, address, authorized }: Arrival): "serve" | "redirect" | "refuse" {
  if (url.protocol === "https:" || !isPublicHost(url.hostname)) return "serve";
  if (address !== undefined && !isPublicAddress(address)) return "serve";
  const isPage = (method === "GET" || method === "HEAD") && !authorized && !forSoftware.test(url.pathname);
  return isPage ? "redirect" : "refuse";
}

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
      `Tidings rejects requests over http. Use https://${hostname}. If you sent a key, token or password over http, replace it: others might have read it.`,
    );
  }
  // Only for public hosts. On a local host, the header would also block other servers there that use http.
  if (protocol === "https:" && isPublicHost(hostname)) c.header("Strict-Transport-Security", HSTS);
  return null;
}
