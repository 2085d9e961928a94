// Times that browsers in Berlin are given.

/** Half past ten in Berlin some months from now, which is within the year that may be planned ahead, and its hour in UTC. */
export function someMonthsAhead(): { local: string; utc: string } {
  const now = new Date();
  const isSummerNext = now.getMonth() < 5;
  return isSummerNext
    ? { local: `${now.getFullYear()}-06-15T10:30`, utc: "08:30" }
    : { local: `${now.getFullYear() + 1}-01-15T10:30`, utc: "09:30" };
}
