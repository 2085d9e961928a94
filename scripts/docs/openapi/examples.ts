// The document's examples. A test ensures an example for each body and response.
import type { Media, Parameter } from "./document.ts";
import type { SchemaReader } from "./schema-reader.ts";

const firstOf = ({ example, examples }: Media | Parameter): unknown =>
  example ?? Object.values(examples ?? {})[0]?.value;

/** A body's example. If the body is a component, the component's example. */
export const exampleOfBody = (media: Media, reader: SchemaReader): unknown =>
  firstOf(media) ?? reader.resolve(media.schema ?? {}).examples?.[0] ?? {};

/** A parameter's example, or null. */
export function exampleOfParameter(parameter: Parameter): string | null {
  const value = firstOf(parameter) ?? parameter.schema.examples?.[0];
  if (value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
