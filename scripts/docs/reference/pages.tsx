import { raw } from "hono/html";
import type { FC } from "hono/jsx";
import { renderPhrase } from "../markdown.tsx";
import type { ApiDocument, Media } from "../openapi/document.ts";
import { exampleOfBody, type Resource } from "../openapi/operations.ts";
import type { Field, SchemaReader } from "../openapi/schema-reader.ts";
import { hrefOf, markdownPath, type Page } from "../page.ts";
import { MethodName, OperationArticle, resourceMarkdown } from "./operation.tsx";
import { CodeBlock } from "../code.tsx";
import { FieldList } from "./fields.tsx";

const PUBLIC_SECTION = "API reference";
const MANAGEMENT_SECTION = "Management API";

const Overview: FC<{ resources: Resource[] }> = ({ resources }) => (
  <div class="resources">
    {resources.map(({ path, title, description, operations }) => (
      <section>
        <h3>
          <a href={hrefOf(path)}>{title}</a>
        </h3>
        <p>{raw(renderPhrase(description))}</p>
        <ul>
          {operations.map(({ method, operation }) => (
            <li>
              <a href={hrefOf(`${path}#${operation.operationId}`)}>
                <MethodName name={method} />
                <span>{operation.summary}</span>
              </a>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </div>
);

const VariablesNote: FC = () => (
  <p>
    Samples read <code>$TIDINGS_API_KEY</code>, <a href={hrefOf("/authentication#create-a-key")}>an API key</a>, from
    the environment. Samples of the management API read <code>$ADMIN_TOKEN</code>. The{" "}
    <a href={hrefOf("/quickstart#set-up")}>quickstart</a> sets the demo's key. Variables such as{" "}
    <code>$MESSAGE_ID</code> and <code>$TEMPLATE_ID</code> are ids from other responses.
  </p>
);

const base = (isManagement: boolean) => (isManagement ? "/manage/v1" : "/api/v1");

export function overviewPage(document: ApiDocument, resources: Resource[]): Page {
  const { securitySchemes } = document.components;
  const part = (isManagement: boolean) => resources.filter((resource) => resource.isManagement === isManagement);
  const apis = [
    { title: "Public API", id: "public-api", isManagement: false, scheme: "apiKey" },
    { title: "Management API", id: "management-api", isManagement: true, scheme: "operatorToken" },
  ];
  const list = (isManagement: boolean) =>
    part(isManagement)
      .map(({ title, path, description }) => `- [${title}](${markdownPath(hrefOf(path))}): ${description}`)
      .join("\n");
  return {
    path: "/reference",
    title: "API reference",
    description: "Every operation with its fields, responses, errors and samples.",
    section: PUBLIC_SECTION,
    content: (
      <>
        <p>
          This reference shows <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1). The document is generated from
          the schemas that validate each request. An operation's name is its method in the{" "}
          <a href={hrefOf("/sdk")}>SDK</a>: <code>messages.send</code> is <code>tidings.messages.send()</code>.
        </p>
        <VariablesNote />
        {apis.map(({ title, id, isManagement, scheme }) => (
          <>
            <h2 id={id}>{title}</h2>
            <p>
              Under <code>{base(isManagement)}</code>, with <code>Authorization: Bearer …</code>.{" "}
              {raw(renderPhrase(securitySchemes[scheme]?.description ?? ""))}
            </p>
            <Overview resources={part(isManagement)} />
          </>
        ))}
      </>
    ),
    markdown: apis.map(({ title, isManagement }) => `## ${title}\n\n${list(isManagement)}`).join("\n\n"),
    headings: [],
    search: [{ anchor: "", heading: "", text: resources.map(({ description }) => description).join(" ") }],
  };
}

export function resourcePage(resource: Resource, reader: SchemaReader): Page {
  const { path, title, description, isManagement, operations } = resource;
  return {
    path,
    title,
    description,
    section: isManagement ? MANAGEMENT_SECTION : PUBLIC_SECTION,
    content: operations.map((entry) => <OperationArticle entry={entry} reader={reader} />),
    markdown: resourceMarkdown(resource, reader),
    headings: [],
    operations: operations.map(({ method, operation }) => ({
      anchor: operation.operationId,
      method,
      title: operation.summary,
    })),
    search: [
      { anchor: "", heading: "", text: description },
      ...operations.map(({ method, path: route, operation }) => ({
        anchor: operation.operationId,
        heading: operation.summary,
        text: `${method.toUpperCase()} ${route} ${operation.operationId} ${operation.description}`,
      })),
    ],
  };
}

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

/**
 * Returns the fields that all events have. The fields inside `data` are left out, because they depend on the type.
 * The page lists them under "Objects".
 */
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
      <code>data</code> contains the current object under the first word of the type. It is <code>null</code> after its
      deletion.
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
