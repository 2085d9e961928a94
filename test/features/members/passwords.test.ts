import { scryptSync } from "node:crypto";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { hashPassword, verifyPassword } from "../../../src/features/members/members.passwords.ts";
import { PASSWORD, Visitor } from "../../support/visitor.ts";
import { World } from "../../support/world.ts";

const derive = (input: string | Buffer, salt: string, p: number) =>
  scryptSync(input, Buffer.from(salt, "base64url"), 32, { N: 16_384, r: 8, p, maxmem: 2 ** 26 });

/** A password hash of an earlier version. */
const oldHash = (password: string, salt = "c2FsdHNhbHRzYWx0c2FsdA") =>
  ["scrypt1", salt, derive(password, salt, 5).toString("base64url")].join(".");

const passwordOf = async (userId: string) =>
  (await env.DB.prepare("SELECT password FROM accounts WHERE user_id = ?").bind(userId).first<{ password: string }>())
    ?.password;

const setHash = (userId: string, hash: string) =>
  env.DB.prepare("UPDATE accounts SET password = ? WHERE user_id = ?").bind(hash, userId).run();

it(
  "Passwords are hashed in five rounds, with the 16 MB that OWASP recommends for scrypt",
  { tags: "long" },
  async () => {
    const hash = await hashPassword("correct horse");
    const [name, salt = "", key] = hash.split(".");
    let expected: string | Buffer = "correct horse";
    for (let round = 0; round < 5; round++) expected = derive(expected, salt, 1);
    expect([name, key]).toEqual(["scrypt2", Buffer.from(expected).toString("base64url")]);
    expect(await verifyPassword({ hash, password: "correct horse" })).toBe(true);
    expect(await verifyPassword({ hash, password: "wrong horse" })).toBe(false);
  },
);

it("A password hash in an earlier format is valid, and the next sign-in replaces it", { tags: "long" }, async () => {
  expect(await verifyPassword({ hash: oldHash("correct horse"), password: "correct horse" })).toBe(true);
  expect(await verifyPassword({ hash: oldHash("correct horse"), password: "wrong horse" })).toBe(false);
  const world = new World({ FAST_PASSWORDS: "false" });
  const member = await (await world.customer()).invitedMember("agent");
  const before = oldHash(PASSWORD);
  await setHash(member.userId, before);
  const visitor = new Visitor(world, member.email);
  expect((await visitor.signIn("wrong password")).status).toBe(401);
  expect(await passwordOf(member.userId)).toBe(before);
  expect((await visitor.signIn(PASSWORD)).status).toBe(303);
  const after = await passwordOf(member.userId);
  expect(after).toMatch(/^scrypt2\./);
  expect((await new Visitor(world, member.email).signIn(PASSWORD)).status).toBe(303);
  expect(await passwordOf(member.userId)).toBe(after);
});

it("Other work continues while a password is hashed", { tags: "long" }, async () => {
  let turns = 0;
  const others = new AbortController();
  const count = async () => {
    for (; !others.signal.aborted; turns++) await scheduler.wait(0);
  };
  const counting = count();
  await hashPassword("correct horse");
  others.abort();
  await counting;
  expect(turns).toBeGreaterThanOrEqual(4);
});

it("Production rejects a password hash with the low cost that the tests use", async () => {
  const hash = await hashPassword("correct horse", { fastPasswords: true });
  const attempt = { hash, password: "correct horse" };
  expect(await verifyPassword(attempt, { fastPasswords: true })).toBe(true);
  expect(await verifyPassword(attempt)).toBe(false);
  expect(
    await verifyPassword({ hash: oldHash("correct horse"), password: "correct horse" }, { fastPasswords: true }),
  ).toBe(false);
});
