/**
 * A time in some months, at half past ten in Berlin. `utc` is its hour in UTC. Messages can be scheduled up to a year
 * ahead.
 */
export function someMonthsAhead(): { local: string; utc: string } {
  const now = new Date();
  const isSummerNext = now.getMonth() < 5;
  return isSummerNext
    ? { local: `${now.getFullYear()}-06-15T10:30`, utc: "08:30" }
    : { local: `${now.getFullYear() + 1}-01-15T10:30`, utc: "09:30" };
}
