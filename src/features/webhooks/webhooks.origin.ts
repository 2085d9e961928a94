// Whether an address is this service's own. Pure.

/** This machine: `URL` writes an address in one way, but there are several addresses. */
const LOOPBACK =
  /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(7f[0-9a-f]{2}:[0-9a-f]+|0:0)\])$/;

/** Host and port: the same for each spelling of an address. The usual ports of http and https are one service. */
function placeOf(url: string): string {
  const { hostname, port } = new URL(url);
  const name = hostname.replace(/\.$/, "");
  return `${LOOPBACK.test(name) ? "localhost" : name}:${port}`;
}

export const leadsTo = (url: string, origin: string): boolean => placeOf(url) === placeOf(origin);
