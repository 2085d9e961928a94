// The page that shows what each type of event tells.
import { raw } from "hono/html";
import type { FC } from "hono/jsx";
import { CodeBlock } from "../code.tsx";
import { renderProse } from "../markdown.tsx";
import type { ApiDocument, Media, Operation } from "../openapi/document.ts";
import { exampleOfBody } from "../openapi/examples.ts";
import type { SchemaReader } from "../openapi/schema-reader.ts";
import type { Page } from "../page.ts";
import { FieldList, ShapeList } from "./fields.tsx";
import { PUBLIC_SECTION } from "./pages.tsx";

interface EventType {
  name: string;
  operation: Operation;
  media: Media;
}

const exampleText = ({ media }: EventType, reader: SchemaReader) =>
  JSON.stringify(exampleOfBody(media, reader), null, 2);

const EventTypeArticle: FC<{ type: EventType; reader: SchemaReader }> = ({ type, reader }) => {
  const { name, operation, media } = type;
  const { fields, shapes } = reader.inside(media.schema ?? {});
  return (
    <article class="operation" id={name}>
      <div class="facts">
        <h2>
          <code>{name}</code>
          <a class="anchor" href={`#${name}`} aria-label={`Link to this type: ${name}`}>
            #
          </a>
        </h2>
        <p>{operation.summary}</p>
        {raw(renderProse(operation.description))}
        <details class="inside">
          <summary>Fields</summary>
          <FieldList fields={fields} showRequired={false} />
          <ShapeList shapes={shapes} showRequired={false} />
        </details>
      </div>
      <div class="samples">
        <CodeBlock sample={{ language: "json", title: name, code: exampleText(type, reader) }} />
      </div>
    </article>
  );
};

/** Null while the document describes no events. */
export function eventTypesPage(document: ApiDocument, reader: SchemaReader): Page | null {
  const types = Object.entries(document.webhooks).flatMap(([name, { post }]) => {
    const media = post?.requestBody?.content["application/json"];
    return post === undefined || media === undefined ? [] : [{ name, operation: post, media }];
  });
  if (types.length === 0) return null;
  return {
    path: "/reference/event-types",
    title: "Event types",
    description: "Every type of event, with an example of what the log shows and an endpoint is sent.",
    section: PUBLIC_SECTION,
    content: types.map((type) => <EventTypeArticle type={type} reader={reader} />),
    markdown: types
      .map((type) =>
        [
          `## ${type.name}`,
          type.operation.summary,
          type.operation.description,
          `\`\`\`json\n${exampleText(type, reader)}\n\`\`\``,
        ]
          .filter((text) => text !== "")
          .join("\n\n"),
      )
      .join("\n\n"),
    headings: types.map(({ name }) => ({ id: name, text: name, depth: 2 })),
    search: types.map(({ name, operation }) => ({
      anchor: name,
      heading: name,
      text: `${operation.summary} ${operation.description}`,
    })),
  };
}
