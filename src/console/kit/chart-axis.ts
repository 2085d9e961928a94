// The axis of a chart. Pure.

/** 1, 2 or 5 with zeros, so that the axis ends with a round number. */
export function roundedTop(most: number): number {
  if (most <= 5) return Math.max(1, most);
  const magnitude = 10 ** Math.floor(Math.log10(most));
  return magnitude * ([1, 2, 5, 10].find((factor) => factor * magnitude >= most) ?? 10);
}
