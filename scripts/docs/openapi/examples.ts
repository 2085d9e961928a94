// The examples that the document gives. A test holds that it gives one of each body and answer.
import type { Media, Parameter } from "./document.ts";
import type { SchemaReader } from "./schema-reader.ts";

const firstOf = ({ example, examples }: Media | Parameter): unknown =>
  example ?? Object.values(examples ?? {})[0]?.value;

/** The example of a body; of a body that is a component, the component's. */
export const exampleOfBody = (media: Media, reader: SchemaReader): unknown =>
  firstOf(media) ?? reader.resolve(media.schema ?? {}).examples?.[0] ?? {};

/** The example of a parameter; null where the document gives none. */
export function exampleOfParameter(parameter: Parameter): string | null {
  const value = firstOf(parameter) ?? parameter.schema.examples?.[0];
  if (value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
