import * as z from "zod";

/** The first step of `fromJson`, by which readers of rows know its columns. */
export const jsonText = z.string().transform((text): unknown => JSON.parse(text));

/** A text that holds JSON of this shape, as databases give it; reads what it holds. */
export const fromJson = <T extends z.ZodType>(shape: T) => jsonText.pipe(shape);

/** The value of a JSON text; null where it is none. */
export function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** True if both have the same JSON. */
export const isSameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The fields of `after` that differ from `before`: name, former and new value. */
export function changedFieldsOf(before: object, after: object): [name: string, former: unknown, value: unknown][] {
  const former = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after).flatMap(([name, value]: [string, unknown]) =>
    isSameJson(former.get(name), value) ? [] : [[name, former.get(name), value]],
  );
}

/** The same text for equal values, whatever the order of their fields. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
