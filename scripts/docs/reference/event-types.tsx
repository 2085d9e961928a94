// The page of all event types. Describes their common fields and their objects once.
import { raw } from "hono/html";
import type { FC } from "hono/jsx";
import { CodeBlock } from "../code.tsx";
import { renderPhrase } from "../markdown.tsx";
import type { ApiDocument, Media } from "../openapi/document.ts";
import { exampleOfBody } from "../openapi/operations.ts";
import type { Field, SchemaReader } from "../openapi/schema-reader.ts";
import type { Page } from "../page.ts";
import { FieldList } from "./fields.tsx";
import { PUBLIC_SECTION } from "./pages.tsx";

interface EventType {
  name: string;
  summary: string;
  fields: Field[];
  example: string;
}

const objectsOf = ({ fields }: EventType): Field[] => fields.find(({ name }) => name === "data")?.fields ?? [];

const EventTypeArticle: FC<{ type: EventType }> = ({ type: { name, summary, example } }) => (
  <article class="operation" id={name}>
    <div class="facts">
      <h2>
        <code>{name}</code>
        <a class="anchor" href={`#${name}`} aria-label={`Link to this type: ${name}`}>
          #
        </a>
      </h2>
      <p>{raw(renderPhrase(summary))}</p>
    </div>
    <div class="samples">
      <CodeBlock sample={{ language: "json", title: name, code: example }} />
    </div>
  </article>
);

const distinctObjects = (types: EventType[]): Field[] => [
  ...new Map(types.flatMap(objectsOf).map((field) => [field.name, field])).values(),
];

/** From the first type. Fields that differ are listed with each type. */
const commonFields = ([first]: EventType[]): Field[] =>
  (first?.fields ?? []).map((field) => {
    if (field.name === "type") return { ...field, type: "string", description: "One of the types below." };
    return field.name === "data" ? { ...field, fields: [] } : field;
  });

const EventTypes: FC<{ types: EventType[] }> = ({ types }) => (
  <>
    <h2 id="fields">Fields of every event</h2>
    <FieldList fields={commonFields(types)} showRequired={false} />
    <h2 id="objects">Objects</h2>
    <p>
      <code>data</code> contains the current object under the first word of the type. The object is <code>null</code>{" "}
      after its deletion.
    </p>
    <FieldList fields={distinctObjects(types)} showRequired={false} />
    {types.map((type) => (
      <EventTypeArticle type={type} />
    ))}
  </>
);

function typesOf(document: ApiDocument, reader: SchemaReader): EventType[] {
  const exampleText = (media: Media) => JSON.stringify(exampleOfBody(media, reader), null, 2);
  return Object.entries(document.webhooks).flatMap(([name, { post }]) => {
    const media = post?.requestBody?.content["application/json"];
    if (media === undefined) return [];
    return [
      {
        name,
        summary: post?.summary ?? "",
        fields: reader.inside(media.schema ?? {}).fields,
        example: exampleText(media),
      },
    ];
  });
}

export function eventTypesPage(document: ApiDocument, reader: SchemaReader): Page {
  const types = typesOf(document, reader);
  return {
    path: "/reference/event-types",
    title: "Event types",
    description: "Every event type, as in the log and in webhook requests.",
    section: PUBLIC_SECTION,
    content: <EventTypes types={types} />,
    markdown: types
      .map(({ name, summary, example }) => `## ${name}\n\n${summary}\n\n\`\`\`json\n${example}\n\`\`\``)
      .join("\n\n"),
    headings: [],
    operations: types.map(({ name }) => ({ anchor: name, method: null, title: name })),
    search: types.map(({ name, summary }) => ({ anchor: name, heading: name, text: summary })),
  };
}
