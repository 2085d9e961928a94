import { DAY_MS } from "../../../shared/time/durations.ts";

export const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

export interface Month {
  days: string[];
  firstWeekday: number;
  previous: string;
  next: string;
  /** The range is a day longer than the month at both ends, so that it covers the month in every time zone. */
  from: number;
  to: number;
}

const monthAt = (at: number): string => new Date(at).toISOString().slice(0, 7);

export function monthOf(month: string): Month {
  const first = Date.parse(`${month}-01`);
  const next = monthAt(first + 31 * DAY_MS);
  const end = Date.parse(`${next}-01`);
  const days = Array.from({ length: Math.round((end - first) / DAY_MS) }, (_, day) =>
    new Date(first + day * DAY_MS).toISOString().slice(0, 10),
  );
  const weekday = new Date(first).getUTCDay();
  return {
    days,
    firstWeekday: weekday === 0 ? 7 : weekday,
    previous: monthAt(first - DAY_MS),
    next,
    from: first - DAY_MS,
    to: end + DAY_MS,
  };
}
