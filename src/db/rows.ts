// Rows are validated against their schema only in tests. In production, this validation would take 15 % of the
// CPU time of a list request.
import * as z from "zod";
import { jsonText } from "../shared/text/json.ts";

export const bool = z.union([z.literal(0), z.literal(1)]).transform((number) => number === 1);

type Conversion = (stored: unknown) => unknown;

const leaves = [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodEnum, z.ZodLiteral, z.ZodNull, z.ZodUnknown];

function changesValues(shape: z.core.$ZodType): boolean {
  if (!(shape instanceof z.ZodType) || (shape.def.checks ?? []).length > 0) return true;
  if (shape instanceof z.ZodObject) return Object.values(shape.shape).some(changesValues);
  if (shape instanceof z.ZodArray) return changesValues(shape.element);
  if (shape instanceof z.ZodRecord) return changesValues(shape.valueType);
  if (shape instanceof z.ZodNullable || shape instanceof z.ZodOptional) return changesValues(shape.unwrap());
  return !leaves.some((leaf) => shape instanceof leaf);
}

function conversionOf(column: z.core.$ZodType): Conversion | null {
  if (column instanceof z.ZodNullable || column instanceof z.ZodOptional) {
    const convert = conversionOf(column.unwrap());
    return convert && ((stored) => (stored === null || stored === undefined ? stored : convert(stored)));
  }
  if (column === bool) return (stored) => stored === 1;
  if (!(column instanceof z.ZodPipe)) return null;
  if (column.in === jsonText && !changesValues(column.out)) return (stored) => JSON.parse(String(stored));
  return (stored) => column.parse(stored);
}

const conversionsByShape = new WeakMap<z.ZodObject, [column: string, convert: Conversion][]>();

function conversionsOf(shape: z.ZodObject): [column: string, convert: Conversion][] {
  const cached = conversionsByShape.get(shape);
  if (cached !== undefined) return cached;
  const conversions = Object.entries(shape.shape).flatMap(([name, column]): [string, Conversion][] => {
    const convert = conversionOf(column);
    return convert === null ? [] : [[name, convert]];
  });
  conversionsByShape.set(shape, conversions);
  return conversions;
}

export function readRows<S extends z.ZodObject>(shape: S, rows: unknown[], isChecked: boolean): z.output<S>[] {
  if (isChecked) for (const row of rows) shape.parse(row);
  const conversions = conversionsOf(shape);
  for (const row of conversions.length === 0 ? [] : rows) {
    if (typeof row !== "object" || row === null) continue;
    for (const [name, convert] of conversions) Reflect.set(row, name, convert(Reflect.get(row, name)));
  }
  // Safe: tests validate the rows.
  return rows as z.output<S>[];
}

/**
 * Reads JSON that this request has built itself. Do not use it for other JSON, because nothing validates it in
 * production.
 */
export function readOwnJson<T>(shape: z.ZodType<T> | null, text: string, isChecked: boolean): T {
  const value: unknown = JSON.parse(text);
  if (isChecked) shape?.parse(value);
  // Safe: tests validate this JSON.
  return value as T;
}
