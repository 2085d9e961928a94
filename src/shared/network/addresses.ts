/** Host names that are never public, and services such as nip.io, whose names resolve to private addresses. */
const PRIVATE_SUFFIXES = [
  "localhost",
  "local",
  "localdomain",
  "internal",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  "arpa",
  "onion",
  "test",
  "example",
  "invalid",
  "nip.io",
  "sslip.io",
  "xip.io",
  "localtest.me",
  "lvh.me",
  "vcap.me",
  "lacolhost.com",
  "yoogle.com",
];

const SPECIAL_V4: [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

const numberOfV4 = (address: string) => address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);

const isPublicV4 = (address: string) =>
  !SPECIAL_V4.some(([block, length]) => {
    const size = 2 ** (32 - length);
    return Math.floor(numberOfV4(address) / size) === Math.floor(numberOfV4(block) / size);
  });

function groupsOfV6(address: string): number[] {
  const [head = "", tail] = address.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)));
  if (tail === undefined) return groups(head);
  const [before, after] = [groups(head), groups(tail)];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/**
 * Accepts 2000::/3, the range of global addresses, except blocks that are unassigned or whose addresses contain
 * another address (Teredo, 6to4).
 */
function isPublicV6(address: string): boolean {
  const [first = 0, second = 0] = groupsOfV6(address);
  if (first < 0x2000 || first > 0x3fff) return false; // excludes ::1, fc00::/7, fe80::/10, ::ffff:0:0/96, 64:ff9b::/96
  if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return false;
  return first !== 0x2002 && !(first === 0x3fff && second < 0x1000);
}

const isV6 = (host: string) => host.startsWith("[");

/**
 * One pattern is enough: if the host is in another notation, such as hexadecimal, `URL` has already converted
 * it to four decimal numbers.
 */
const isV4 = (host: string) => /^\d+\.\d+\.\d+\.\d+$/.test(host);

export function isPublicHost(host: string): boolean {
  if (isV6(host)) return isPublicV6(host.slice(1, -1));
  if (isV4(host)) return isPublicV4(host);
  const name = host.replace(/\.$/, "");
  if (!name.includes(".") || name.includes("..")) return false;
  return !PRIVATE_SUFFIXES.some((suffix) => name.endsWith(`.${suffix}`) || name === suffix);
}

export const isPublicAddress = (address: string): boolean =>
  isPublicHost(address.includes(":") ? `[${address}]` : address);

/** Rejects ports below 1024, because mail, SSH and similar services use them. */
const isWebPort = (port: string) => port === "" || Number(port) >= 1024;

/**
 * Unless `allowPrivate` is set, the address must use https and have a public host name. The name can still resolve
 * to a private address, but a Worker cannot reach private addresses from Cloudflare's network.
 */
export function faultOfAddress(address: string, { allowPrivate }: { allowPrivate: boolean }): string | null {
  if (!URL.canParse(address)) return "Must be a URL.";
  const url = new URL(address);
  if (url.protocol !== "https:" && !(allowPrivate && url.protocol === "http:")) return "Must be an https address.";
  if (url.username !== "" || url.password !== "") return "Must not contain a user name or password.";
  if (url.search !== "" || url.hash !== "") return "Must not contain a query or fragment.";
  if (allowPrivate) return null;
  if (!isWebPort(url.port)) return "Must not have a port below 1024 other than 443.";
  // A call to an IP address always fails with Cloudflare's error 1003.
  if (isV6(url.hostname) || isV4(url.hostname))
    return "Must have a host name. Cloudflare Workers cannot call IP addresses.";
  return isPublicHost(url.hostname) ? null : "Must be a public host.";
}

/**
 * The network by which rate limits count requests. A client with IPv6 has a whole /64 to itself, so all
 * addresses of a /64 are one network.
 */
export function networkOf(address: string): string {
  const url = URL.parse(`http://[${address.trim().replace(/%.*$/, "")}]`);
  if (url === null) return address;
  const groups = groupsOfV6(url.hostname.slice(1, -1));
  const [high = 0, low = 0] = groups.slice(6);
  const isMappedV4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMappedV4) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

const LOOPBACK =
  /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(7f[0-9a-f]{2}:[0-9a-f]+|0:0)\])$/;

function serviceOf(url: string): string {
  const { hostname, port } = new URL(url);
  const name = hostname.replace(/\.$/, "");
  return `${LOOPBACK.test(name) ? "localhost" : name}:${port}`;
}

export const isSameService = (url: string, origin: string): boolean => serviceOf(url) === serviceOf(origin);
