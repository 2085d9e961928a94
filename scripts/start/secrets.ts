import { randomBytes } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { parseEnv } from "node:util";
import { faultOfEncryptionKey, HOW_TO_MAKE_A_KEY } from "../../src/shared/security/encryption-key.ts";
import { StartError } from "./settings.ts";

/**
 * Returns the secrets in the file at `path`. If a secret is missing or empty, creates a random value and stores it in
 * the file. Throws if `ENCRYPTION_KEY` is invalid.
 */
export async function ensureSecrets(path: string): Promise<{ ADMIN_TOKEN: string; ENCRYPTION_KEY: string }> {
  const text = await readIfThere(path);
  const { ADMIN_TOKEN, ENCRYPTION_KEY } = parseEnv(text);
  const secrets = {
    ADMIN_TOKEN: ADMIN_TOKEN || randomBytes(32).toString("base64url"),
    ENCRYPTION_KEY: ENCRYPTION_KEY || randomBytes(32).toString("base64"),
  };
  const fault = faultOfEncryptionKey(secrets.ENCRYPTION_KEY);
  if (fault !== null) {
    throw new StartError(
      `ENCRYPTION_KEY in ${path} ${fault}. ${HOW_TO_MAKE_A_KEY}\n` +
        "Rename the current value to ENCRYPTION_KEY_PREVIOUS to keep encrypted data readable. Without an ENCRYPTION_KEY, `npm start` generates one.",
    );
  }
  const added = [
    ADMIN_TOKEN ? "" : `ADMIN_TOKEN="${secrets.ADMIN_TOKEN}" # opens /manage/v1\n`,
    ENCRYPTION_KEY
      ? ""
      : `ENCRYPTION_KEY="${secrets.ENCRYPTION_KEY}" # encrypts provider secrets, signs API key checksums\n`,
  ].join("");
  if (!added) return secrets;
  console.log(`Added random secrets to ${path}`);
  if (text !== "") await writeWhole(path, text + (text.endsWith("\n") ? "" : "\n") + added);
  else if (!(await createWhole(path, added))) return ensureSecrets(path);
  return secrets;
}

export async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, "code") === "ENOENT") return "";
    throw error;
  }
}

async function writeDraft(path: string, text: string): Promise<string> {
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, text, { mode: 0o600 });
  return draft;
}

/**
 * Writes a file that only its owner can read. Writes the text to a draft first and then renames the draft, so that
 * another process never reads an incomplete file.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  await rename(await writeDraft(path, text), path);
}

/**
 * Like `writeWhole`, but does not replace an existing file and returns false instead. If two processes create the
 * secrets at the same time, the second one then reads the secrets of the first.
 */
async function createWhole(path: string, text: string): Promise<boolean> {
  const draft = await writeDraft(path, text);
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, "code") === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft);
  }
}
