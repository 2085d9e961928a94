import type * as z from "zod";

export type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [K in Name]: string } & ParamsOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? { [K in Name]: string }
    : unknown;

function hasParams<P extends string>(
  path: P,
  values: Record<string, string>,
): values is Record<string, string> & ParamsOf<P> {
  return path.split("/").every((part) => !part.startsWith(":") || Object.hasOwn(values, part.slice(1)));
}

export function paramsOf<P extends string>(
  path: P,
  values: Record<string, string>,
): Record<string, string> & ParamsOf<P> {
  if (!hasParams(path, values)) throw new Error(`${path} lacks a parameter.`);
  return values;
}

/** The overload returns `S`, so that callers keep the type of their schema. */
export function orNothing<S extends z.ZodType>(schema: S | undefined, nothing: z.ZodType): S;
export function orNothing(schema: z.ZodType | undefined, nothing: z.ZodType): z.ZodType {
  return schema ?? nothing;
}
