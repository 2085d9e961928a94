import * as z from "zod";

/** The schema of a column that contains JSON. `readRows` recognizes it and avoids zod where possible. */
export const jsonText = z.string().transform((text): unknown => JSON.parse(text));

export const fromJson = <T extends z.ZodType>(shape: T) => jsonText.pipe(shape);

export function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const isSameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export function changedFieldsOf(before: object, after: object): [name: string, former: unknown, value: unknown][] {
  const former = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after).flatMap(([name, value]: [string, unknown]) =>
    isSameJson(former.get(name), value) ? [] : [[name, former.get(name), value]],
  );
}

export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
