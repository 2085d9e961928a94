// Examples of responses in the OpenAPI document.
import * as z from "zod";

export interface Examples {
  /** Records, by the names of their components. */
  records: Record<string, object>;
  /** The fields of responses without a record, by operation. */
  answers: Record<string, Record<string, unknown>>;
}

/** A value of a schema that is or contains a record, or has only one value. */
function exampleOf(schema: z.core.$ZodType, records: Examples["records"]): unknown {
  const record = records[z.globalRegistry.get(schema)?.id ?? ""];
  if (record !== undefined) return record;
  if (schema instanceof z.ZodArray) return [exampleOf(schema.element, records)];
  if (schema instanceof z.ZodLiteral) return schema.value;
  if (schema instanceof z.ZodLazy) return exampleOf(schema.unwrap(), records);
  return schema instanceof z.ZodNullable ? null : undefined;
}

/** The response of an operation. */
export const exampleAnswer = (name: string, { shape }: z.ZodObject, examples: Examples): object =>
  Object.fromEntries(
    Object.entries(shape).map(([field, schema]) => [
      field,
      examples.answers[name]?.[field] ?? exampleOf(schema, examples.records),
    ]),
  );
