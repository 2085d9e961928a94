// Truncates parts of messages so that they fit into a queue message together with the body.
import { jsonBytes } from "../shared/text/text.ts";

/** A queue message holds 128 KB; body and parts share the space beside its envelope. */
const MAX_CONTENT_BYTES = 32_000;
export const MAX_BODY_BESIDE_PARTS_BYTES = 48_000;

/** Deeper than any of Meta's forms or cards. */
const MAX_DEPTH = 8;

interface Limits {
  characters: number;
  items: number;
}

const clean = (text: string, characters: number): string => {
  const whole = text.replaceAll("\0", "").toWellFormed();
  return whole.length <= characters ? whole : `${whole.slice(0, characters).toWellFormed()}…`;
};

function cutValue(value: unknown, limits: Limits, depth: number): unknown {
  if (typeof value === "string") return clean(value, limits.characters);
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.slice(0, limits.items).map((item) => cutValue(item, limits, depth - 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, limits.items)
      .map(([name, item]) => [clean(name, limits.characters), cutValue(item, limits, depth - 1)]),
  );
}

/** JSON that can be stored, in at most the given bytes: long texts and lists are cut to the same length. */
export function fitJson(value: unknown, maxBytes = MAX_CONTENT_BYTES): unknown {
  for (let limits = { characters: maxBytes, items: 1000 }; limits.characters >= 1; limits = halved(limits)) {
    const cut = cutValue(value, limits, MAX_DEPTH);
    if (jsonBytes(cut) <= maxBytes) return cut;
  }
  return null;
}

const halved = ({ characters, items }: Limits): Limits => ({
  characters: Math.floor(characters / 2),
  items: Math.ceil(items * 0.8),
});

export const given = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ""),
  );
