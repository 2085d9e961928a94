import { vi } from "vitest";

export function stopClock(): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
}
