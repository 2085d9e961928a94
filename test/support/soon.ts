import { vi } from "vitest";

/** On a busy machine, the default of one second is too short. */
export const soon = <T>(ask: () => T | Promise<T>): Promise<T> => vi.waitFor(ask, { timeout: 20_000 });
