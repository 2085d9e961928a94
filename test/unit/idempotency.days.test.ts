import { expect, it } from "vitest";
import {
  daysWithReplays,
  oldestDayKept,
  REPEATABLE_MS,
  utcDay,
} from "../../src/features/idempotency/idempotency.days.ts";

const MIDNIGHT = Date.UTC(2026, 10, 20);

it.each([MIDNIGHT - 1, MIDNIGHT, MIDNIGHT + REPEATABLE_MS - 1])(
  "At %d, the days that are searched and kept include every response of the last 24 hours, even if clocks differ",
  (now) => {
    for (const writtenAt of [now + 50, now, now - REPEATABLE_MS + 1]) {
      expect(daysWithReplays(now)).toContain(utcDay(writtenAt));
      expect(oldestDayKept(now + 50)).toBeLessThanOrEqual(utcDay(writtenAt));
    }
  },
);
