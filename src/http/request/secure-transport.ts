import type { Context } from "hono";
import { isPublicAddress, isPublicHost } from "../../shared/network/addresses.ts";
import { AppError } from "../../shared/errors.ts";
import type { AppEnv } from "../app-env.ts";

/** One year. `includeSubDomains` is missing, because it would affect other hosts of the operator's domain. */
const HSTS = "max-age=31536000";

/** Only programs use these paths. Their requests contain keys, tokens or messages. */
const forSoftware = /^\/(?:api|manage|hooks)(?:\/|$)/;

interface Arrival {
  method: string;
  url: URL;
  address: string | undefined;
  authorized: boolean;
}

/**
 * Plain http works only on this machine and in private networks. `wrangler dev` reports the host from
 * wrangler.toml, so the client's address is checked, too. A request with a secret is rejected, because a
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
  // On a local host, this header would also block other servers that use http.
  if (protocol === "https:" && isPublicHost(hostname)) c.header("Strict-Transport-Security", HSTS);
  return null;
}
