/** Default colors of tags, readable under white text: tag number n gets the color at n modulo their count. */
export const tagPalette: readonly string[] = [
  "#57534e",
  "#2563eb",
  "#c2410c",
  "#15803d",
  "#9333ea",
  "#be123c",
  "#0e7490",
  "#a16207",
  "#4f46e5",
  "#4d7c0f",
  "#be185d",
  "#0f766e",
];
