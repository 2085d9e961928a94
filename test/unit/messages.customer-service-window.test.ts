import { expect, test } from "vitest";
import {
  customerServiceWindowEnd,
  customerServiceWindowStart,
} from "../../src/features/messages/messages.customer-service-window.ts";

const wroteAt = Date.parse("2026-03-01T12:00:00Z");

test("The customer service window closes 24 hours after the person last wrote", () => {
  expect(new Date(customerServiceWindowEnd(wroteAt)).toISOString()).toBe("2026-03-02T12:00:00.000Z");
});

test("customerServiceWindowStart and customerServiceWindowEnd agree on whether the window is open", () => {
  for (const [now, isOpen] of [
    [wroteAt, true],
    [wroteAt + 24 * 3_600_000 - 1, true],
    [wroteAt + 24 * 3_600_000, false],
  ] as const) {
    expect([wroteAt > customerServiceWindowStart(now), now < customerServiceWindowEnd(wroteAt)]).toEqual([
      isOpen,
      isOpen,
    ]);
  }
});
