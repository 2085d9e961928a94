import { describe, expect, it } from "vitest";
import { faultOfEncryptionKey } from "../../src/shared/security/encryption-key.ts";

const base64 = (bytes: Iterable<number>) => Uint8Array.from(bytes).toBase64();
const bytes = (of: (index: number) => number, length = 32) => base64(Array.from({ length }, (_, i) => of(i) % 256));

describe("ENCRYPTION_KEY", () => {
  it("An ENCRYPTION_KEY is 32 random bytes in base64, with or without padding or a final line break", () => {
    for (let round = 0; round < 1000; round++) {
      const key = base64(crypto.getRandomValues(new Uint8Array(32)));
      expect(faultOfEncryptionKey(key), key).toBeNull();
      expect(faultOfEncryptionKey(`${key.replace("=", "")}\n`), key).toBeNull();
    }
  });

  it.each([
    [undefined, "is not set"],
    ["", "is not set"],
    ["  \n", "is not set"],
    ["change-me", "is not standard base64"],
    ["a passphrase, not a key", "is not standard base64"],
    ["🔑", "is not standard base64"],
    ["change+me+now", "is not standard base64"],
    ["short", "is not standard base64"],
    ["c2hvcnQ=", "holds 5 bytes, not 32"],
    [bytes((i) => i * i, 31), "holds 31 bytes, not 32"],
    [bytes((i) => i * i, 33), "holds 33 bytes, not 32"],
    ["ab".repeat(32), "holds 48 bytes, not 32"], // the text of 32 bytes in hexadecimal is also valid base64
    [bytes(() => 0), "is a pattern, which can be guessed"],
    [bytes(() => 255), "is a pattern, which can be guessed"],
    [bytes((i) => i), "is a pattern, which can be guessed"],
    [bytes((i) => 300 - i), "is a pattern, which can be guessed"],
    [bytes((i) => (i % 4) + 200), "is a pattern, which can be guessed"],
    [btoa("this is my secret encryption key"), "is base64 of a text, which can be guessed"],
    [btoa("x".repeat(32)), "is base64 of a text, which can be guessed"],
  ])("The ENCRYPTION_KEY %j is rejected: it %s", (key, fault) => {
    expect(faultOfEncryptionKey(key)).toBe(fault);
  });
});
