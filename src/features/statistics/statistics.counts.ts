/** The counts of a day by name, see `countName`. */
export type NamedCounts = ReadonlyMap<string, number>;

/** Types of events that are counted. */
export const countedTypes = [
  "message.queued",
  "message.received",
  "message.sent",
  "message.delivered",
  "message.read",
  "message.failed",
  "contact.opted_out",
  "contact.opted_in",
  "conversation.opened",
  "conversation.done",
] as const;

/** The type of the event; of messages of campaigns `campaign` in the place of `message`. */
export const countName = (type: string, isOfCampaign: boolean): string =>
  isOfCampaign ? type.replace("message.", "campaign.") : type;

const QUEUED_BY = "queued by ";

/** Messages that a key had queued. */
export const keyCountName = (keyId: string): string => QUEUED_BY + keyId;

/** How many messages each key had queued. */
export const queuedByKey = (counts: NamedCounts): [keyId: string, count: number][] =>
  [...counts].flatMap(([name, count]) => (name.startsWith(QUEUED_BY) ? [[name.slice(QUEUED_BY.length), count]] : []));

/** Answers by people, in the console or on the business's own phone, or by software, with a key. */
export type AnsweredBy = "people" | "software";

/** The ends of the ranges that times to an answer are counted in, in seconds; the last range has none. */
export const ANSWER_SECONDS = [
  30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400, 172_800, 604_800,
] as const;

export const answerCountName = (by: AnsweredBy, range: number): string => `answers by ${by} ${range}`;

/** The range that a time to an answer falls in. */
export function answerRange(ms: number): number {
  const range = ANSWER_SECONDS.findIndex((end) => ms <= end * 1000);
  return range === -1 ? ANSWER_SECONDS.length : range;
}

export function addCounts(...all: NamedCounts[]): Map<string, number> {
  const sum = new Map<string, number>();
  for (const counts of all) for (const [name, count] of counts) sum.set(name, (sum.get(name) ?? 0) + count);
  return sum;
}

/** How many answers there were. */
export const countAnswers = (counts: NamedCounts, by: AnsweredBy): number =>
  rangesOf(counts, by).reduce((sum, count) => sum + count, 0);

const rangesOf = (counts: NamedCounts, by: AnsweredBy): number[] =>
  [...ANSWER_SECONDS, Infinity].map((_, range) => counts.get(answerCountName(by, range)) ?? 0);

/**
 * The seconds within which a share of the answers came, taking those of a range to be spread evenly over it; null where there are
 * none. Those beyond the last range count as long as that one's end.
 */
export function answerPercentile(counts: NamedCounts, by: AnsweredBy, share: number): number | null {
  const ranges = rangesOf(counts, by);
  let left = share * ranges.reduce((sum, count) => sum + count, 0);
  if (left === 0) return null;
  for (const [range, count] of ranges.entries()) {
    const begin = ANSWER_SECONDS[range - 1] ?? 0;
    const end = ANSWER_SECONDS[range] ?? begin;
    if (left <= count) return Math.round(begin + (end - begin) * (left / count));
    left -= count;
  }
  return null;
}
