// Example values: those that the document gives, else ones that fit the schema.
import type { Media, Parameter, Schema } from "./document.ts";
import type { SchemaReader } from "./schema-reader.ts";

const MAX_DEPTH = 7;

/** The first example of a body, as the document gives it; undefined where it gives none. */
const givenExample = ({ example, examples }: Media | Parameter): unknown =>
  example ?? Object.values(examples ?? {})[0]?.value;

/** The example of a body. */
export const exampleOfBody = (media: Media, reader: SchemaReader): unknown =>
  givenExample(media) ?? exampleOf(media.schema ?? {}, reader);

/** The value of a parameter in samples. */
export function exampleOfParameter(parameter: Parameter, reader: SchemaReader): string {
  const given = givenExample(parameter) ?? reader.resolve(parameter.schema).examples?.[0];
  return String(given ?? exampleOf(parameter.schema, reader, parameter.name));
}

/** A value that fits the schema; `name` is the field's. */
function exampleOf(given: Schema, reader: SchemaReader, name = "", depth = 0): unknown {
  const own = reader.resolve(given);
  const example = given.examples?.[0] ?? given.example ?? own.examples?.[0] ?? own.example;
  if (example !== undefined) return example;
  if (own.const !== undefined) return own.const;
  if (own.enum !== undefined) return own.enum[0];
  if (own.items !== undefined) return depth > MAX_DEPTH ? [] : [exampleOf(own.items, reader, name, depth + 1)];
  const [choice] = own.anyOf ?? own.oneOf ?? [];
  if (choice !== undefined) return exampleOf(choice, reader, name, depth);
  const type = [own.type ?? []].flat()[0];
  if (type === "object" || own.properties !== undefined) {
    if (depth > MAX_DEPTH) return {};
    const properties = Object.entries(own.properties ?? {});
    return Object.fromEntries(properties.map(([key, value]) => [key, exampleOf(value, reader, key, depth + 1)]));
  }
  if (type === "boolean") return false;
  if (type === "integer" || type === "number") return Math.max(own.minimum ?? 0, 1);
  return type === "string" ? exampleText(own, name) : null;
}

function exampleText({ format }: Schema, name: string): string {
  if (format === "date-time" || name.endsWith("_at")) return "2026-12-01T09:30:00.000Z";
  if (format === "uri" || name.endsWith("url")) return "https://www.example.com/";
  if (name === "id" || name.endsWith("_id")) return "…";
  if (["to", "from", "phone"].includes(name)) return "+15550100101";
  return name === "" ? "…" : name.replaceAll("_", " ");
}
