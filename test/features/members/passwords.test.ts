import { scryptSync } from "node:crypto";
import { expect, it } from "vitest";
import { hashPassword, verifyPassword } from "../../../src/features/members/members.passwords.ts";

it("Passwords are hashed at OWASP's cost for scrypt with 16 MB", { tags: "long" }, async () => {
  const hash = await hashPassword("correct horse");
  const [name, salt = "", key] = hash.split(".");
  const options = { N: 16_384, r: 8, p: 5, maxmem: 2 ** 26 };
  const expected = scryptSync("correct horse", Buffer.from(salt, "base64url"), 32, options).toString("base64url");
  expect([name, key]).toEqual(["scrypt1", expected]);
  expect(await verifyPassword({ hash, password: "correct horse" })).toBe(true);
  expect(await verifyPassword({ hash, password: "wrong horse" })).toBe(false);
});

it("Production rejects a password hash with the cost of tests", async () => {
  const hash = await hashPassword("correct horse", { fastPasswords: true });
  const attempt = { hash, password: "correct horse" };
  expect(await verifyPassword(attempt, { fastPasswords: true })).toBe(true);
  expect(await verifyPassword(attempt)).toBe(false);
});
