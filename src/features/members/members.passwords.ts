import type { BaseCtx } from "../../shared/context.ts";
import { randomBytes } from "../../shared/security/crypto.ts";

const LENGTH = 32;
const BASE64 = { alphabet: "base64url", omitPadding: true } as const;

/**
 * With both scrypt schemes, a guess costs an attacker 16 MB and about 0.12 s of CPU time. OWASP recommends this cost.
 */
const COSTS = {
  /** A hash of an earlier version. It needs one long call, during which the isolate serves no other request. */
  scrypt1: { N: 2 ** 14, r: 8, p: 5, rounds: 1 },
  scrypt2: { N: 2 ** 14, r: 8, p: 1, rounds: 5 },
  fast: { N: 2, r: 1, p: 1, rounds: 1 },
};

type Scheme = keyof typeof COSTS;

type Settings = Pick<BaseCtx, "fastPasswords">;
const SAFE: Settings = { fastPasswords: false };

const schemeOf = ({ fastPasswords }: Settings): Scheme => (fastPasswords ? "fast" : "scrypt2");

/**
 * The scheme of a stored hash, or null if the hash must not be compared. Production rejects the fast scheme, which only
 * tests use.
 */
function comparableScheme(name: string | undefined, settings: Settings): Scheme | null {
  const current = schemeOf(settings);
  if (name === "scrypt1" && current === "scrypt2") return name;
  return name === current ? current : null;
}

/** Importing this module slows the start of a Worker, so it is loaded on first use. */
const nodeCrypto = () => import("node:crypto");

async function derive(password: string, salt: Uint8Array, scheme: Scheme): Promise<Uint8Array> {
  const { scrypt } = await nodeCrypto();
  const { rounds, ...cost } = COSTS[scheme];
  const hashOnce = (input: string | Uint8Array) =>
    new Promise<Uint8Array>((resolve, reject) => {
      scrypt(input, salt, LENGTH, { ...cost, maxmem: 64 * 2 ** 20 }, (error, key) =>
        error === null ? resolve(new Uint8Array(key)) : reject(error),
      );
    });
  let key = await hashOnce(password.normalize("NFKC"));
  for (let round = 1; round < rounds; round++) {
    await scheduler.wait(0);
    key = await hashOnce(key);
  }
  // Lets other requests run before the caller derives another key.
  await scheduler.wait(0);
  return key;
}

export async function hashPassword(password: string, settings = SAFE): Promise<string> {
  const scheme = schemeOf(settings);
  const salt = randomBytes(16);
  const key = await derive(password, salt, scheme);
  return [scheme, salt.toBase64(BASE64), key.toBase64(BASE64)].join(".");
}

/** After a successful sign-in, a new hash replaces a hash of an earlier version. */
export const isOldHash = (hash: string): boolean => hash.startsWith("scrypt1.");

export async function verifyPassword({ hash, password }: Attempt, settings = SAFE): Promise<boolean> {
  const [name, salt = "", key = ""] = hash.split(".");
  const scheme = comparableScheme(name, settings);
  if (scheme === null) return false;
  const { timingSafeEqual } = await nodeCrypto();
  const expected = Uint8Array.fromBase64(key, { alphabet: "base64url" });
  const derived = await derive(password, Uint8Array.fromBase64(salt, { alphabet: "base64url" }), scheme);
  return timingSafeEqual(derived, expected);
}

interface Attempt {
  hash: string;
  password: string;
}
