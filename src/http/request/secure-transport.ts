import type { Context } from "hono";
import { isPublicAddress, isPublicHost } from "../../shared/network/addresses.ts";
import { AppError } from "../../shared/errors.ts";
import type { AppEnv } from "../app-env.ts";

/** One year. Without `includeSubDomains`, because the operator's other hosts may need http. */
const HSTS = "max-age=31536000";

/** Programs call these paths, and their requests contain keys, tokens or messages. */
const forSoftware = /^\/(?:api|manage|hooks)(?:\/|$)/;

interface Arrival {
  method: string;
  url: URL;
  address: string | undefined;
  authorized: boolean;
}

/**
 * Plain http is served only on this machine and in private networks. The client's address is checked too,
 * because `wrangler dev` reports the host from wrangler.toml instead of the real one. A request that can contain
 * a secret is refused: if it were redirected, the client would not notice that it sent the secret over http.
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
  // A local host does not get this header, because browsers would also refuse http to its other ports.
  if (protocol === "https:" && isPublicHost(hostname)) c.header("Strict-Transport-Security", HSTS);
  return null;
}
