import * as z from "zod";

/** A text that holds JSON of this shape, as databases give it; reads what it holds. */
export const fromJson = <T extends z.ZodType>(shape: T) =>
  z.string().transform((text) => shape.parse(JSON.parse(text)));

/** The value of a JSON text; null where it is none. */
export function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
