import * as z from "zod";

/** A text that holds JSON of this shape, as databases give it; reads what it holds. */
export const fromJson = <T extends z.ZodType>(shape: T) =>
  z.string().transform((text) => shape.parse(JSON.parse(text)));
