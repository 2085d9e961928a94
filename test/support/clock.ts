import { vi } from "vitest";

/** Stops the clock at a time so far ahead that the platform runs no alarm before the test does. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
}
