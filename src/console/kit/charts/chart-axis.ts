/** Rounds up to 1, 2 or 5 times a power of ten. */
export function roundedTop(most: number): number {
  if (most <= 5) return Math.max(1, most);
  const magnitude = 10 ** Math.floor(Math.log10(most));
  return magnitude * ([1, 2, 5, 10].find((factor) => factor * magnitude >= most) ?? 10);
}

const MAX_LABELS = 5;

/** The steps with a label, evenly spaced from the first step. Every label fits before the next one. */
export function labelledSteps(steps: number): { every: number; labelled: number[] } {
  const every = Math.max(1, Math.ceil(steps / MAX_LABELS));
  return { every, labelled: Array.from({ length: Math.floor(steps / every) }, (_, place) => place * every) };
}
