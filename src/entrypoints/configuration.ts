import { faultOfEncryptionKey, HOW_TO_MAKE_A_KEY } from "../shared/security/encryption-key.ts";
import { Memo } from "../shared/memo.ts";
import { AppError } from "../shared/errors.ts";
import { log } from "../shared/logger.ts";

/** Keys that passed the check. Cached, because the check of a key takes as long as the routing of a request. */
const goodKeys = new Memo<true>(2);

/** True if the configuration is valid. Otherwise logs the fault, and the Worker does not serve or process anything. */
export function isConfigured({ ENCRYPTION_KEY: key }: Env): boolean {
  if (goodKeys.get(key) === true) return true;
  const fault = faultOfEncryptionKey(key);
  if (fault !== null) log.error("not_configured", { reason: `ENCRYPTION_KEY ${fault}. ${HOW_TO_MAKE_A_KEY}` });
  else goodKeys.set(key, true);
  return fault === null;
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
