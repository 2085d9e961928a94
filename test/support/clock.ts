import { vi } from "vitest";

/** Stops the clock so far ahead that only the test runs alarms. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
}
