import { getTableName } from "drizzle-orm";
import { hasGuardFailed } from "../../db/guards.ts";
import { contactIdentities, contacts } from "../../db/schema/index.ts";
import type { BaseCtx } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";

/**
 * Two concurrent requests can assign the same value of these unique keys to different contacts. The second one then
 * fails and can be repeated.
 */
const contestedKeys = [
  [contacts.workspaceId, contacts.phoneKey],
  [contacts.workspaceId, contacts.emailKey],
  [contactIdentities.workspaceId, contactIdentities.provider, contactIdentities.externalId],
].map((key) => key.map(({ table, name }) => `${getTableName(table)}.${name}`).join(", "));

const UNIQUE_FAILED = /UNIQUE constraint failed: (?<key>[\w., ]*\w)/;

function isContested(message: string): boolean {
  const key = UNIQUE_FAILED.exec(message)?.groups?.["key"];
  return key !== undefined && contestedKeys.includes(key);
}

/** True if the batch changed nothing because another request changed the rows first. The caller can then try again. */
export const isContention = (error: unknown): boolean =>
  hasGuardFailed(error) || (error instanceof Error && isContested(error.message));

/** With six tries and random waits, nearly all of ten concurrent writers of one record succeed. */
const MAX_TRIES = 6;
const FIRST_WAIT_MS = 40;

interface Retries {
  message: string;
  isRepeatable?(error: unknown): boolean;
}

/** Repeats `attempt` while it returns null or throws because of contention. Throws `unavailable` after the last try. */
export async function retryOnContention<T>(
  base: Pick<BaseCtx, "random" | "wait">,
  { message, isRepeatable = isContention }: Retries,
  attempt: (tries: number) => Promise<T | null>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      const done = await attempt(tries);
      if (done !== null) return done;
    } catch (error) {
      if (!isRepeatable(error)) throw error;
    }
    if (tries === MAX_TRIES) throw new AppError("unavailable", message);
    await base.wait(base.random() * FIRST_WAIT_MS * 2 ** tries);
  }
}
