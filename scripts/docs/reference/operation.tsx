import { raw } from "hono/html";
import type { Child, FC } from "hono/jsx";
import { CodeBlock, CodeTabs } from "../code.tsx";
import { renderProse } from "../markdown.tsx";
import type { Media } from "../openapi/document.ts";
import { type DocumentedOperation, exampleOfBody, parametersOf, type Resource } from "../openapi/operations.ts";
import { samplesOf } from "../openapi/samples.ts";
import { type Field, requirementOf, type SchemaReader, type Shape } from "../openapi/schema-reader.ts";
import { hrefOf } from "../page.ts";
import { FieldList, ShapeList } from "./fields.tsx";

export const MethodName: FC<{ name: string }> = ({ name }) => (
  <span class={`method ${name}`}>{name === "delete" ? "del" : name}</span>
);

const Part: FC<{ title: string; children?: Child }> = ({ title, children }) => (
  <>
    <h3>{title}</h3>
    {children}
  </>
);

const FieldPart: FC<{ title: string; fields: Field[] }> = ({ title, fields }) =>
  fields.length === 0 ? null : (
    <Part title={title}>
      <FieldList fields={fields} showRequired />
    </Part>
  );

const Body: FC<{ media: Media; reader: SchemaReader; showRequired: boolean }> = ({ media, reader, showRequired }) => {
  const { fields, shapes } = reader.inside(media.schema ?? {});
  return (
    <>
      <FieldList fields={fields} showRequired={showRequired} />
      <ShapeList shapes={shapes} showRequired={showRequired} />
    </>
  );
};

const codesOf = (description: string): string[] => [...description.matchAll(/`(\w+)`/g)].map(([, code = ""]) => code);

const errorPath = (code: string): string => hrefOf(`/errors#${code}`);

const isRefusal = ([status]: readonly [string, unknown]) => Number(status) >= 400;

const Refusals: FC<{ entry: DocumentedOperation }> = ({ entry }) => (
  <ul class="refusals">
    {Object.entries(entry.operation.responses)
      .filter(isRefusal)
      .map(([status, { description }]) => (
        <li>
          <span class="status">{status}</span>{" "}
          {codesOf(description).map((code) => (
            <>
              <a href={errorPath(code)}>
                <code>{code}</code>
              </a>{" "}
            </>
          ))}
        </li>
      ))}
  </ul>
);

export const OperationArticle: FC<{ entry: DocumentedOperation; reader: SchemaReader }> = ({ entry, reader }) => {
  const { method, path, operation } = entry;
  const id = operation.operationId;
  const body = operation.requestBody?.content["application/json"];
  const successes = Object.entries(operation.responses).flatMap((answer) => {
    const [status, { content, description }] = answer;
    return isRefusal(answer) ? [] : [{ status, description, media: content["application/json"] }];
  });
  return (
    <article class="operation" id={id}>
      <div class="facts">
        <h2>
          {operation.summary}
          <a class="anchor" href={`#${id}`} aria-label={`Link to this operation: ${operation.summary}`}>
            #
          </a>
        </h2>
        <p class="path">
          <MethodName name={method} />
          <code>{path}</code>
        </p>
        {raw(renderProse(operation.description))}
        <FieldPart title="Path" fields={parametersOf(entry, "path", reader)} />
        <FieldPart title="Query" fields={parametersOf(entry, "query", reader)} />
        <FieldPart title="Headers" fields={parametersOf(entry, "header", reader)} />
        {body !== undefined && (
          <Part title="Body">
            <Body media={body} reader={reader} showRequired />
          </Part>
        )}
        {successes.map(({ status, description, media }) => (
          <Part title={`Response ${status}`}>
            {media === undefined ? (
              raw(renderProse(description))
            ) : (
              <Body media={media} reader={reader} showRequired={false} />
            )}
          </Part>
        ))}
        <Part title="Errors">
          <Refusals entry={entry} />
        </Part>
      </div>
      <div class="samples">
        <CodeTabs samples={samplesOf(entry, reader)} id={`${id}-samples`} />
        {successes.map(
          ({ status, media }) =>
            media !== undefined && (
              <CodeBlock
                sample={{
                  language: "json",
                  title: `Response ${status}`,
                  code: JSON.stringify(exampleOfBody(media, reader), null, 2),
                }}
              />
            ),
        )}
      </div>
    </article>
  );
};

/** The Markdown version of a page shows fields down to this depth. It leaves out deeper fields. */
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
