// The axis of a chart. Pure.

/** 1, 2 or 5 with zeros, so that the axis ends with a round number. */
export function roundedTop(most: number): number {
  if (most <= 5) return Math.max(1, most);
  const magnitude = 10 ** Math.floor(Math.log10(most));
  return magnitude * ([1, 2, 5, 10].find((factor) => factor * magnitude >= most) ?? 10);
}

const MAX_LABELS = 5;

/** The steps that have a label, evenly spread from the first one. Each has room up to the next, so that none is cut at the end. */
export function labelledSteps(steps: number): { every: number; labelled: number[] } {
  const every = Math.max(1, Math.ceil(steps / MAX_LABELS));
  return { every, labelled: Array.from({ length: Math.floor(steps / every) }, (_, place) => place * every) };
}
