export type NamedCounts = ReadonlyMap<string, number>;

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

/** An event of a campaign's message is counted as `campaign.…`, and an event of any other message as `message.…`. */
export const countName = (type: string, isOfCampaign: boolean): string =>
  isOfCampaign ? type.replace("message.", "campaign.") : type;

const QUEUED_BY = "queued by ";

export const keyCountName = (keyId: string): string => QUEUED_BY + keyId;

export const queuedByKey = (counts: NamedCounts): [keyId: string, count: number][] =>
  [...counts].flatMap(([name, count]) => (name.startsWith(QUEUED_BY) ? [[name.slice(QUEUED_BY.length), count]] : []));

/** `people` reply in the console or on the workspace's phone. `software` replies with an API key. */
export type AnsweredBy = "people" | "software";

/** Reply times are counted by range. These are the upper ends in seconds; the last range has no upper end. */
export const ANSWER_SECONDS = [
  30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400, 172_800, 604_800,
] as const;

export const answerCountName = (by: AnsweredBy, range: number): string => `answers by ${by} ${range}`;

export function answerRange(ms: number): number {
  const range = ANSWER_SECONDS.findIndex((end) => ms <= end * 1000);
  return range === -1 ? ANSWER_SECONDS.length : range;
}

export function addCounts(...all: NamedCounts[]): Map<string, number> {
  const sum = new Map<string, number>();
  for (const counts of all) for (const [name, count] of counts) sum.set(name, (sum.get(name) ?? 0) + count);
  return sum;
}

export const countAnswers = (counts: NamedCounts, by: AnsweredBy): number =>
  rangesOf(counts, by).reduce((sum, count) => sum + count, 0);

const rangesOf = (counts: NamedCounts, by: AnsweredBy): number[] =>
  [...ANSWER_SECONDS, Infinity].map((_, range) => counts.get(answerCountName(by, range)) ?? 0);

/**
 * Estimates the reply time in seconds, as if times were spread evenly over each range. The last range counts as its
 * lower end, because it has no upper end.
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
