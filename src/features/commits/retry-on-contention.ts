import { isContradicted } from "../../db/idioms.ts";
import type { BaseCtx } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";

/** With random waits between the tries, nearly all of ten concurrent writers of a record succeed. */
export const MAX_TRIES = 6;
const FIRST_WAIT_MS = 40;

interface Retries {
  /** The error message after the last try. */
  message: string;
  /** True if the batch failed because other requests had changed its rows. */
  isContention?(error: unknown): boolean;
  maxTries?: number;
}

/**
 * Runs `attempt`, which reads and then writes in one batch, until no other request changes its rows in between. Repeats if
 * `attempt` returns null or throws contention. Throws `unavailable` after the last try.
 */
export async function retryOnContention<T>(
  base: Pick<BaseCtx, "random" | "wait">,
  { message, isContention = isContradicted, maxTries = MAX_TRIES }: Retries,
  attempt: (tries: number) => Promise<T | null>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      const done = await attempt(tries);
      if (done !== null) return done;
    } catch (error) {
      if (!isContention(error)) throw error;
    }
    if (tries === maxTries) throw new AppError("unavailable", message);
    await base.wait(base.random() * FIRST_WAIT_MS * 2 ** tries);
  }
}
