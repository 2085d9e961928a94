import { constantTimeEqual, hmacSha256, randomBytes, type RotatingSecret, secretsOf } from "../../shared/crypto.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const TOKEN = /^tdg_(?<random>[0-9A-Za-z]{32})(?<sum>[0-9A-Za-z]{6})$/;

/** A new API key: `tdg_`, 32 random base62 characters (190 bits), 6 of checksum under the current secret. */
export async function mintKey(secret: RotatingSecret): Promise<string> {
  const random = randomBase62(32);
  return `tdg_${random}${await checksum(random, secretsOf(secret)[0])}`;
}

/** True where we made this key, under any secret still accepted: an invented one is refused without I/O. */
export async function checkKey(token: string, secret: RotatingSecret): Promise<boolean> {
  const { random, sum } = TOKEN.exec(token)?.groups ?? {};
  if (random === undefined || sum === undefined) return false;
  const matches = secretsOf(secret).map(async (each) => constantTimeEqual(sum, await checksum(random, each)));
  return (await Promise.all(matches)).includes(true);
}

/** Under a secret of its own, so that a key reveals nothing of the one that encrypts. */
async function checksum(random: string, secret: string): Promise<string> {
  const derived = await hmacSha256(secret, "api-key-checksum");
  const mac = await hmacSha256(derived.toHex(), random);
  let rest = new DataView(mac.buffer).getBigUint64(0);
  let text = "";
  for (; text.length < 6; rest /= 62n) text += ALPHABET.charAt(Number(rest % 62n));
  return text;
}

/** Bytes from 248 (4 × 62) on are drawn again, or the alphabet's first eight would come up more often. */
function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    const bytes = randomBytes(length - text.length);
    for (const byte of bytes) if (byte < 248) text += ALPHABET.charAt(byte % 62);
  }
  return text;
}
