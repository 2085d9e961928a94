// Reasons why searches can exceed their budgets.
const LONG_LISTS =
  "FTS5 intersects the list of every contact that has the term with that of the filter, to their ends. Such a search " +
  "takes a turn, and uses at most a quarter of the time (src/features/scans).";
const COMMON_DIGITS =
  "The fragment is a few trigrams that most numbers have, whose lists FTS5 intersects: about 0.01 s at a million.";
const NOISE =
  "The plain list that it is divided by takes a millisecond or less, and varies by more than the difference.";
export const REASONS = {
  "search common + source, never meet": LONG_LISTS,
  "search phone fragment": COMMON_DIGITS,
  "neighbour: search phone fragment": COMMON_DIGITS,
  "search whole phone": COMMON_DIGITS,
  "neighbour: tag + source, never meet": NOISE,
  "neighbour: search common": NOISE,
};
