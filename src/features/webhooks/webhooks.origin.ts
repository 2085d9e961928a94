// Whether an address is this service's own. Pure.

/** The names of this machine. `URL` writes each in one way, but there are several. */
const LOOPBACK =
  /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(7f[0-9a-f]{2}:[0-9a-f]+|0:0)\])$/;

/** Host and port, the same for each spelling of an address. The default ports of http and https count as one. */
function serviceOf(url: string): string {
  const { hostname, port } = new URL(url);
  const name = hostname.replace(/\.$/, "");
  return `${LOOPBACK.test(name) ? "localhost" : name}:${port}`;
}

export const isSameService = (url: string, origin: string): boolean => serviceOf(url) === serviceOf(origin);
