import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ensureSecrets } from "../../scripts/start/secrets.ts";
import { makeStateDir } from "./service.ts";

const KEY = /^ENCRYPTION_KEY="(?<key>[A-Za-z0-9+/]{43}=)"/m;

describe("Secrets of npm start", () => {
  it("`npm start` creates its secrets at the first start and keeps them at later starts", async () => {
    const path = join(makeStateDir(), ".dev.vars");
    const first = await ensureSecrets(path);
    expect(KEY.exec(readFileSync(path, "utf8"))?.groups?.["key"]).toBe(first.ENCRYPTION_KEY);
    expect(await ensureSecrets(path)).toEqual(first);
  });

  it.each([
    ["change-me", "is not standard base64"],
    ["c2hvcnQ=", "holds 5 bytes, not 32"],
    [Buffer.alloc(32, 7).toString("base64"), "is a pattern"],
    [Buffer.from("this is my secret encryption key").toString("base64"), "is base64 of a text"],
  ])("`npm start` rejects a weak key with the reason, and does not change the secrets: %s", async (key, fault) => {
    const path = join(makeStateDir(), ".dev.vars");
    const text = `ENCRYPTION_KEY="${key}"\n`;
    writeFileSync(path, text);
    const refused = ensureSecrets(path);
    await expect(refused).rejects.toThrow(`ENCRYPTION_KEY in ${path} ${fault}`);
    await expect(refused).rejects.toThrow("openssl rand -base64 32");
    await expect(refused).rejects.toThrow("ENCRYPTION_KEY_PREVIOUS");
    expect(readFileSync(path, "utf8")).toBe(text);
  });
});
