import { randomBytes } from "../../shared/crypto.ts";
import { PASSWORD_COST } from "./members.password-cost.ts";

const LENGTH = 32;
const BASE64 = { alphabet: "base64url", omitPadding: true } as const;

/** Loaded when first needed: it is much for a Worker to start with. */
const nodeCrypto = () => import("node:crypto");

async function derive(password: string, salt: Uint8Array): Promise<Uint8Array> {
  const { scrypt } = await nodeCrypto();
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, LENGTH, { ...PASSWORD_COST, maxmem: 64 * 2 ** 20 }, (error, key) =>
      error === null ? resolve(new Uint8Array(key)) : reject(error),
    );
  });
}

/** `scrypt1.<salt>.<key>`, both in base64url; the name stands for `PASSWORD_COST`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt);
  return ["scrypt1", salt.toBase64(BASE64), key.toBase64(BASE64)].join(".");
}

export async function verifyPassword({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  const [name, salt = "", key = ""] = hash.split(".");
  if (name !== "scrypt1") return false;
  const { timingSafeEqual } = await nodeCrypto();
  const expected = Uint8Array.fromBase64(key, { alphabet: "base64url" });
  return timingSafeEqual(await derive(password, Uint8Array.fromBase64(salt, { alphabet: "base64url" })), expected);
}
