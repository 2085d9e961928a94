import { expect, it } from "vitest";
import {
  daysWithReplays,
  oldestDayKept,
  REPEATABLE_MS,
  utcDay,
} from "../../src/features/idempotency/idempotency.days.ts";

const MIDNIGHT = Date.UTC(2026, 10, 20);

it.each([MIDNIGHT - 1, MIDNIGHT, MIDNIGHT + REPEATABLE_MS - 1])(
  "A repeated request at %d finds the stored responses of 24 hours, even if clocks differ, and none is deleted earlier",
  (now) => {
    for (const writtenAt of [now + 50, now, now - REPEATABLE_MS + 1]) {
      expect(daysWithReplays(now)).toContain(utcDay(writtenAt));
      expect(oldestDayKept(now + 50)).toBeLessThanOrEqual(utcDay(writtenAt));
    }
  },
);
