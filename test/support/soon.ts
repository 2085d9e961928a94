import { vi } from "vitest";

/** Asks again until it does not throw. On a busy machine the second that `vi.waitFor` has by default is too short. */
export const soon = <T>(ask: () => T | Promise<T>): Promise<T> => vi.waitFor(ask, { timeout: 20_000 });
