// Recognizes this service's own address. Pure.

/** Names of this machine. `URL` normalizes each, but there are several. */
const LOOPBACK =
  /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(7f[0-9a-f]{2}:[0-9a-f]+|0:0)\])$/;

/** Host and port for comparison. Loopback names count as `localhost`, and default ports count as the same. */
function serviceOf(url: string): string {
  const { hostname, port } = new URL(url);
  const name = hostname.replace(/\.$/, "");
  return `${LOOPBACK.test(name) ? "localhost" : name}:${port}`;
}

export const isSameService = (url: string, origin: string): boolean => serviceOf(url) === serviceOf(origin);
