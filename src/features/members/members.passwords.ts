import type { BaseCtx } from "../../shared/context.ts";
import { randomBytes } from "../../shared/security/crypto.ts";

const LENGTH = 32;
const BASE64 = { alphabet: "base64url", omitPadding: true } as const;

/** scrypt costs by the prefix of a hash. */
const COSTS = {
  /** 16 MB and about 0.15 s. One of OWASP's equivalent choices, and within a Worker's 128 MB and CPU time. */
  scrypt1: { N: 2 ** 14, r: 8, p: 5 },
  fast: { N: 2, r: 1, p: 1 },
};

type Settings = Pick<BaseCtx, "fastPasswords">;
const SAFE: Settings = { fastPasswords: false };

const schemeOf = ({ fastPasswords }: Settings) => (fastPasswords ? "fast" : "scrypt1");

/** Loaded on first use, because it would slow the start of a Worker. */
const nodeCrypto = () => import("node:crypto");

async function derive(password: string, salt: Uint8Array, scheme: keyof typeof COSTS): Promise<Uint8Array> {
  const { scrypt } = await nodeCrypto();
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, LENGTH, { ...COSTS[scheme], maxmem: 64 * 2 ** 20 }, (error, key) =>
      error === null ? resolve(new Uint8Array(key)) : reject(error),
    );
  });
}

/** `<scheme>.<salt>.<key>`, the last two in base64url. */
export async function hashPassword(password: string, settings = SAFE): Promise<string> {
  const scheme = schemeOf(settings);
  const salt = randomBytes(16);
  const key = await derive(password, salt, scheme);
  return [scheme, salt.toBase64(BASE64), key.toBase64(BASE64)].join(".");
}

/** False for a hash of another scheme: hashes of the fast scheme never match in production. */
export async function verifyPassword({ hash, password }: Attempt, settings = SAFE): Promise<boolean> {
  const scheme = schemeOf(settings);
  const [name, salt = "", key = ""] = hash.split(".");
  if (name !== scheme) return false;
  const { timingSafeEqual } = await nodeCrypto();
  const expected = Uint8Array.fromBase64(key, { alphabet: "base64url" });
  const derived = await derive(password, Uint8Array.fromBase64(salt, { alphabet: "base64url" }), scheme);
  return timingSafeEqual(derived, expected);
}

interface Attempt {
  hash: string;
  password: string;
}
