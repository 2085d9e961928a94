import { type DocumentedOperation, exampleOfBody, parametersOf, type Resource } from "../openapi/operations.ts";
import { samplesOf } from "../openapi/samples.ts";
import { type Field, requirementOf, type SchemaReader, type Shape } from "../openapi/schema-reader.ts";

/** The OpenAPI document contains deeper fields. */
const MAX_DEPTH = 3;

const oneLine = (text: string) => text.replaceAll(/\s*\n\s*/g, " ");

function fieldLines(fields: Field[], depth = 0): string[] {
  return fields.flatMap((field) => {
    const { name, type, limits, choices, description, fields: inner, shapes } = field;
    const facts = [type, requirementOf(field), ...limits].filter((fact) => fact !== "").join(", ");
    const values = choices.length === 0 ? "" : ` One of ${choices.map((choice) => `\`${choice}\``).join(", ")}.`;
    const about = description === undefined ? "" : `: ${oneLine(description)}`;
    const line = `${"  ".repeat(depth)}- \`${name}\` (${facts})${about}${values}`;
    return depth >= MAX_DEPTH ? [line] : [line, ...fieldLines(inner, depth + 1), ...shapeLines(shapes, depth + 1)];
  });
}

const shapeLines = (shapes: Shape[], depth: number): string[] =>
  shapes.flatMap(({ label, fields }) => [
    `${"  ".repeat(depth)}- ${label}:`,
    ...(depth >= MAX_DEPTH ? [] : fieldLines(fields, depth + 1)),
  ]);

const block = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;

const part = (title: string, lines: string[]): string[] => (lines.length === 0 ? [] : [`${title}:`, lines.join("\n")]);

function operationMarkdown(entry: DocumentedOperation, reader: SchemaReader): string {
  const { method, path, operation } = entry;
  const named = (location: string) => fieldLines(parametersOf(entry, location, reader));
  const linesOf = (schema: Parameters<SchemaReader["inside"]>[0]) => {
    const { fields, shapes } = reader.inside(schema);
    return [...fieldLines(fields), ...shapeLines(shapes, 0)];
  };
  const body = operation.requestBody?.content["application/json"];
  const answers = Object.entries(operation.responses);
  return [
    `## ${operation.summary}`,
    `\`${method.toUpperCase()} ${path}\` · \`${operation.operationId}\``,
    operation.description,
    ...part("Path", named("path")),
    ...part("Query", named("query")),
    ...part("Headers", named("header")),
    ...part("Body", body === undefined ? [] : linesOf(body.schema ?? {})),
    ...samplesOf(entry, reader).map(({ language, code }) => block(language, code)),
    ...answers
      .filter(([status]) => Number(status) < 400)
      .flatMap(([status, { content }]) => {
        const media = content["application/json"];
        if (media === undefined) return [`Response ${status}.`];
        const example = JSON.stringify(exampleOfBody(media, reader), null, 2);
        return [...part(`Response ${status}`, linesOf(media.schema ?? {})), block("json", example)];
      }),
    `Errors: ${answers
      .filter(([status]) => Number(status) >= 400)
      .map(([status, { description }]) => `${status} ${description}`)
      .join("; ")}`,
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

export const resourceMarkdown = ({ operations }: Resource, reader: SchemaReader): string =>
  operations.map((entry) => operationMarkdown(entry, reader)).join("\n\n");
