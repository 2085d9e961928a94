import { describe, expect, it } from "vitest";
import {
  constantTimeEqual,
  createSecretBox,
  hmacSha256,
  hmacSha512,
  maskSecret,
  secretsOf,
  sha256Hex,
} from "../../src/shared/security/crypto.ts";

/** Valid keys. A seed always has the same key. */
const key = (seed: number) => Uint8Array.from({ length: 32 }, (_, i) => (seed * 31 + i * i * 7 + i) % 256).toBase64();

describe("Hashes", () => {
  it("Hashes match the published vectors", async () => {
    expect(await sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(await sha256Hex(new Uint8Array([97, 98, 99]))).toBe(await sha256Hex("abc"));
    // RFC 4231, test case 2
    expect((await hmacSha256("Jefe", "what do ya want for nothing?")).toHex()).toBe(
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
    expect((await hmacSha512("Jefe", "what do ya want for nothing?")).toHex()).toBe(
      "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
    );
  });

  it("Different secrets have different HMACs, even after the cache was full", async () => {
    const macs = async () =>
      Promise.all(Array.from({ length: 200 }, async (_, i) => (await hmacSha256(`secret ${i}`, "data")).toHex()));
    const first = await macs();
    expect(new Set(first).size).toBe(200);
    expect(await macs()).toEqual(first);
  });

  it("constantTimeEqual distinguishes equal texts from different texts", async () => {
    expect(await constantTimeEqual("same", "same")).toBe(true);
    expect(await constantTimeEqual("same", "sama")).toBe(false);
    expect(await constantTimeEqual("same", "same but longer")).toBe(false);
    expect(await constantTimeEqual("", "")).toBe(true);
  });
});

describe("Secret box", () => {
  const box = createSecretBox({ current: key(1) });

  it("A sealed text can be opened, in any script and length", async () => {
    for (const plain of ["", "EAAG…token", "ключ 🔑", "x".repeat(10_000)])
      expect(await box.open(await box.seal(plain, "conn_1"), "conn_1")).toBe(plain);
  });

  it("A text that is sealed twice has two different seals, and both reveal nothing", async () => {
    const sealed = await Promise.all(Array.from({ length: 50 }, () => box.seal("hunter2", "conn_1")));
    expect(new Set(sealed).size).toBe(50);
    for (const text of sealed) expect(text).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]+$/);
  });

  it("A sealed secret cannot be opened for a different owner or after any change", async () => {
    const sealed = await box.seal("hunter2", "conn_1");
    await expect(box.open(sealed, "conn_2")).rejects.toThrow();
    const flipped = (part: string) => (part.startsWith("A") ? "B" : "A") + part.slice(1);
    for (const index of [0, 1, 2, 3]) {
      const parts = sealed.split(".").map((part, i) => (i === index ? flipped(part) : part));
      await expect(box.open(parts.join("."), "conn_1")).rejects.toThrow();
    }
    for (const junk of ["", "v1", "hunter2", `${sealed}.more`, sealed.slice(0, -4)])
      await expect(box.open(junk, "conn_1")).rejects.toThrow();
  });

  it("Secrets that former keys sealed can be opened, and new secrets use the current key", async () => {
    const old = await box.seal("hunter2", "conn_1");
    const rotated = createSecretBox({ current: key(3), previous: ` ${key(2)} , ${key(1)},` });
    expect(await rotated.open(old, "conn_1")).toBe("hunter2");
    const fresh = await rotated.seal("hunter2", "conn_1");
    expect(await createSecretBox({ current: key(3), previous: "" }).open(fresh, "conn_1")).toBe("hunter2");
    await expect(createSecretBox({ current: key(3) }).open(old, "conn_1")).rejects.toThrow("no longer configured");
  });

  it("A weak key cannot seal secrets, but opens earlier secrets", async () => {
    for (const current of ["short", "a passphrase, not a key", "ab".repeat(32), key(1).slice(0, 20), "🔑"])
      await expect(createSecretBox({ current }).seal("hunter2", "")).rejects.toThrow(/^ENCRYPTION_KEY /);
    const sealedOnce = "v1.c620fdf0.AAECAwQFBgcICQoL.yBgnbwAjS_3z3Lwdiuavdn53YtOLV0E";
    expect(await createSecretBox({ current: key(1), previous: "short" }).open(sealedOnce, "conn_1")).toBe("hunter2");
  });

  it("A line break at the end of a key is ignored", async () => {
    expect(await createSecretBox({ current: `${key(1)}\n` }).open(await box.seal("hunter2", ""), "")).toBe("hunter2");
  });

  it("Sealing a secret requires a current key, even if a former key is set", async () => {
    await expect(createSecretBox({ current: " ", previous: key(1) }).seal("hunter2", "")).rejects.toThrow("not set");
    expect(() => secretsOf({ current: "" })).toThrow("not set");
  });
});

describe("Masked secrets", () => {
  it.each([
    ["EAAGm0PX4ZCpsBA1234", "•••• 1234"],
    ["12345678", "•••• 5678"],
    ["1234567", "••••"],
    ["", "••••"],
    ["secret🔑🔑🔑🔑", "•••• 🔑🔑🔑🔑"],
  ])("The masked form of the secret %j is %j", (secret, masked) => {
    expect(maskSecret(secret)).toBe(masked);
  });
});
