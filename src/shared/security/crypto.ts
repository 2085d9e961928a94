import * as z from "zod";
import { faultOfEncryptionKey } from "./encryption-key.ts";

type Data = string | ArrayBuffer | ArrayBufferView;

/**
 * `current` signs and encrypts. `previous` lists older secrets, separated by commas, which can still verify and
 * decrypt.
 */
export interface RotatingSecret {
  current: string;
  previous?: string | undefined;
}

export const sealedSecret = z.object({ sealed: z.string(), hint: z.string() });

export type SealedSecret = z.infer<typeof sealedSecret>;

export interface SecretBox {
  /**
   * `aad` names the owner of the secret. `open` fails with any other `aad`, so an encrypted secret that
   * somebody copies to another owner cannot be read there.
   */
  seal(plain: string, aad: string): Promise<string>;
  open(sealed: string, aad: string): Promise<string>;
}

interface BoxKey {
  id: string;
  key: CryptoKey;
}

const encoder = new TextEncoder();
const bytesOf = (data: Data) => (typeof data === "string" ? encoder.encode(data) : data);
const digest = async (data: Data) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(data)));

/** For secrets and salts. Does not use the random numbers of `ctx`, because tests make those predictable. */
export const randomBytes = (length: number): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(length));

export const sha256Hex = async (data: Data): Promise<string> => (await digest(data)).toHex();

export const hmacSha256 = (secret: string, data: Data): Promise<Uint8Array> => hmac("SHA-256", secret, data);
export const hmacSha512 = (secret: string, data: Data): Promise<Uint8Array> => hmac("SHA-512", secret, data);

/**
 * Compares hashes of the texts. The time that this takes reveals neither the length of a text nor where two
 * texts differ.
 */
export async function constantTimeEqual(a: string, b: string): Promise<boolean> {
  const [hashA, hashB] = await Promise.all([digest(a), digest(b)]);
  return crypto.subtle.timingSafeEqual(hashA, hashB);
}

export function secretsOf({ current, previous = "" }: RotatingSecret): [string, ...string[]] {
  const newest = current.trim();
  if (newest === "") throw new Error("ENCRYPTION_KEY is not set.");
  const older = previous.split(",").map((secret) => secret.trim());
  return [newest, ...older.filter((secret) => secret !== "")];
}

/**
 * Encrypts with AES-256-GCM and rotating keys. Format: `v1.<key id>.<iv>.<ciphertext>`, the last two parts
 * in base64url.
 */
export function createSecretBox(secret: RotatingSecret): SecretBox {
  return {
    async seal(plain, aad) {
      const fault = faultOfEncryptionKey(secret.current);
      if (fault !== null) throw new Error(`ENCRYPTION_KEY ${fault}.`);
      const { id, key } = await boxKey(secretsOf(secret)[0]);
      const iv = randomBytes(12);
      const algorithm = { name: "AES-GCM", iv, additionalData: encoder.encode(aad) };
      const data = await crypto.subtle.encrypt(algorithm, key, encoder.encode(plain));
      return ["v1", id, base64Url(iv), base64Url(new Uint8Array(data))].join(".");
    },
    async open(sealed, aad) {
      const [version, keyId, iv, data, ...rest] = sealed.split(".");
      if (version !== "v1" || iv === undefined || data === undefined || rest.length > 0)
        throw new Error("This is not a sealed secret.");
      const keys = await Promise.all(secretsOf(secret).map(boxKey));
      const found = keys.find(({ id }) => id === keyId);
      if (found === undefined) throw new Error("The key that sealed this secret is no longer configured.");
      const algorithm = { name: "AES-GCM", iv: fromBase64Url(iv), additionalData: encoder.encode(aad) };
      return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, found.key, fromBase64Url(data)));
    },
  };
}

export function maskSecret(secret: string): string {
  const characters = [...secret];
  return characters.length < 8 ? "••••" : `•••• ${characters.slice(-4).join("")}`;
}

const base64Url = (bytes: Uint8Array) => bytes.toBase64({ alphabet: "base64url", omitPadding: true });
const fromBase64Url = (text: string) => Uint8Array.fromBase64(text, { alphabet: "base64url" });

/** Caches the created keys instead of their promises, because a request must not await a promise of another request. */
function remember<T extends object>(
  make: (secret: string) => Promise<T>,
  capacity: number,
): (secret: string) => Promise<T> {
  const known = new Map<string, T>();
  return async (secret) => {
    const value = known.get(secret);
    if (value !== undefined) return value;
    const made = await make(secret);
    if (known.size >= capacity) known.clear();
    known.set(secret, made);
    return made;
  };
}

const importHmac = (hash: string) => (secret: string) =>
  crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash }, false, ["sign"]);

const hmacKeys = { "SHA-256": remember(importHmac("SHA-256"), 64), "SHA-512": remember(importHmac("SHA-512"), 64) };

async function hmac(hash: keyof typeof hmacKeys, secret: string, data: Data): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign("HMAC", await hmacKeys[hash](secret), bytesOf(data)));
}

/**
 * Earlier versions accepted any text as a key. A text that is not 32 bytes in base64 is therefore hashed to get
 * 32 bytes.
 */
async function keyBytes(secret: string): Promise<Uint8Array> {
  try {
    const bytes = Uint8Array.fromBase64(secret);
    if (bytes.length === 32) return bytes;
  } catch {
    // The key is not base64.
  }
  return digest(secret);
}

const boxKey = remember<BoxKey>(async (secret) => {
  const bytes = await keyBytes(secret);
  const key = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
  return { id: (await sha256Hex(bytes)).slice(0, 8), key };
}, 8);
