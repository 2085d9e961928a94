import {
  constantTimeEqual,
  hmacSha256,
  hmacSha512,
  randomBytes,
  type RotatingSecret,
  secretsOf,
} from "../../shared/security/crypto.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const TOKEN = /^tdg_(?<random>[0-9A-Za-z]{32})(?<sum>[0-9A-Za-z]{6})$/;

const LENGTH = 32;

/**
 * A key is `tdg_`, 32 random base62 characters (190 bits) and a checksum of 6 characters. With `request`, the
 * characters derive from the request, so that a repeat returns the same key although we do not store keys.
 */
export async function mintKey(secret: RotatingSecret, request: string | null = null): Promise<string> {
  const [current] = secretsOf(secret);
  const random = request === null ? randomBase62() : await base62Of(current, request);
  return `tdg_${random}${await checksum(random, current)}`;
}

async function base62Of(secret: string, request: string): Promise<string> {
  const derived = await hmacSha256(secret, "api-key-of-request");
  return toBase62(await hmacSha512(derived.toHex(), request)).slice(0, LENGTH);
}

/** Checks the checksum, so that forged keys are rejected without a query. */
export async function checkKey(token: string, secret: RotatingSecret): Promise<boolean> {
  const { random, sum } = TOKEN.exec(token)?.groups ?? {};
  if (random === undefined || sum === undefined) return false;
  const matches = secretsOf(secret).map(async (each) => constantTimeEqual(sum, await checksum(random, each)));
  return (await Promise.all(matches)).includes(true);
}

/** The checksum uses a derived secret, so that a key reveals nothing about the encryption secret. */
async function checksum(random: string, secret: string): Promise<string> {
  const derived = await hmacSha256(secret, "api-key-checksum");
  const mac = await hmacSha256(derived.toHex(), random);
  let rest = new DataView(mac.buffer).getBigUint64(0);
  let text = "";
  for (; text.length < 6; rest /= 62n) text += ALPHABET.charAt(Number(rest % 62n));
  return text;
}

function randomBase62(): string {
  let text = "";
  while (text.length < LENGTH) text += toBase62(randomBytes(LENGTH - text.length));
  return text;
}

/** Skips bytes from 248 (4 × 62), because they would make the first eight characters more likely than the others. */
const toBase62 = (bytes: Uint8Array): string =>
  Array.from(
    bytes.filter((byte) => byte < 248),
    (byte) => ALPHABET.charAt(byte % 62),
  ).join("");
