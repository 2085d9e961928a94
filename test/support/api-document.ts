import type { Answer } from "./world.ts";

type Document = Answer["body"];

const REFERENCE = /^#\/components\/(?<kind>\w+)\/(?<name>\w+)$/;

export function resolveIn(document: Document, value: Document): Document {
  const { kind = "", name = "" } = REFERENCE.exec(String(value?.$ref))?.groups ?? {};
  return value?.$ref === undefined ? value : { ...document.components[kind]?.[name] };
}

export function* nodesOf(value: unknown, at = "#"): Generator<{ at: string; node: Record<string, unknown> }> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield { at, node: { ...value } };
  for (const [key, inner] of Object.entries(value)) yield* nodesOf(inner, `${at}/${key}`);
}
