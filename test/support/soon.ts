import { vi } from "vitest";

/** Repeats `ask` until it does not throw. The default second of `vi.waitFor` is too short on a busy machine. */
export const soon = <T>(ask: () => T | Promise<T>): Promise<T> => vi.waitFor(ask, { timeout: 20_000 });
