import { faultOfShards } from "../db/client.ts";
import { faultOfEncryptionKey, HOW_TO_MAKE_A_KEY } from "../shared/security/encryption-key.ts";
import { Memo } from "../shared/memo.ts";
import { AppError } from "../shared/errors.ts";
import { log } from "../shared/logger.ts";

/** Remembers valid keys, because checking a key takes as long as routing a request. */
const goodKeys = new Memo<true>(2);

function faultOfKey(key: string): string | null {
  if (goodKeys.get(key) === true) return null;
  const fault = faultOfEncryptionKey(key);
  if (fault !== null) return `ENCRYPTION_KEY ${fault}. ${HOW_TO_MAKE_A_KEY}`;
  goodKeys.set(key, true);
  return null;
}

/** Remembers environments whose shards are valid. An isolate has one environment, so it checks them once. */
const goodShards = new WeakSet<Env>();

function faultOfDatabases(env: Env): string | null {
  if (goodShards.has(env)) return null;
  const fault = faultOfShards(env);
  if (fault === null) goodShards.add(env);
  return fault;
}

export function isConfigured(env: Env): boolean {
  const reason = faultOfKey(env.ENCRYPTION_KEY) ?? faultOfDatabases(env);
  if (reason !== null) log.error("not_configured", { reason });
  return reason === null;
}

export function requireConfiguration(env: Env): void {
  if (!isConfigured(env))
    throw new AppError(
      "unavailable",
      "This service is not configured yet. Its log lists the missing settings.",
      null,
      60,
    );
}
