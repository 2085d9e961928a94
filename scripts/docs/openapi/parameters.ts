import type { DocumentedOperation } from "./operations.ts";
import type { Field, SchemaReader } from "./schema-reader.ts";

/** Parameters in `path`, `query` or `header`, as fields. */
export const parametersOf = ({ parameters }: DocumentedOperation, place: string, reader: SchemaReader): Field[] =>
  parameters
    .filter((parameter) => parameter.in === place)
    .flatMap(({ name, required, schema, description }) =>
      reader
        .fieldsOf({ properties: { [name]: schema }, required: required ? [name] : [] })
        .map((field) => ({ ...field, description: description ?? field.description })),
    );
