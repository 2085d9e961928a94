import { html, raw } from "hono/html";
import type { FC } from "hono/jsx";
import { type DocumentedOperation, Fields, MethodName, OperationArticle, ORIGIN, Prose } from "./docs-operation.tsx";
import { type Documentation, documentShape, type Schema, SchemaReader } from "./docs-schema.ts";
import { docsStyle } from "./docs-style.ts";
import type { describeApi } from "./openapi.ts";

type Document = ReturnType<typeof describeApi>;

interface Surface {
  base: string;
  /** The credential that its calls are signed with. */
  security: string;
  tags: [string, DocumentedOperation[]][];
}

/** Operations below the same first two path segments are one surface. */
function surfacesOf({ paths }: Documentation): Surface[] {
  const entries = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): DocumentedOperation => ({ method, path, operation })),
  );
  const bySurface = Map.groupBy(entries, ({ path }) => path.split("/").slice(0, 3).join("/"));
  return Array.from(bySurface, ([base, members]) => ({
    base,
    security: Object.keys(members[0]?.operation.security[0] ?? {})[0] ?? "",
    tags: [...Map.groupBy(members, ({ operation }) => operation.tags[0] ?? "")],
  }));
}

const titles: Record<string, string> = { "/api/v1": "Public API", "/manage/v1": "Management API" };
const titleOf = ({ base }: Surface) => titles[base] ?? base;
const anchorOf = (...parts: string[]) =>
  parts
    .join(" ")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "");

const Menu: FC<{ surface: Surface }> = ({ surface }) => (
  <>
    <h2>{titleOf(surface)}</h2>
    {surface.tags.map(([tag, entries]) => (
      <>
        <h3>
          <a href={`#${anchorOf(surface.base, tag)}`}>{tag}</a>
        </h3>
        <ul>
          {entries.map(({ method, operation }) => (
            <li>
              <a href={`#${operation.operationId}`}>
                <MethodName name={method} />
                <span>{operation.summary}</span>
              </a>
            </li>
          ))}
        </ul>
      </>
    ))}
  </>
);

/** The shape of every refusal. */
const Refusals: FC<{ reader: SchemaReader; schema: Schema | undefined }> = ({ reader, schema }) =>
  schema === undefined ? null : (
    <article id="errors">
      <div>
        <h4>Errors</h4>
        <p>Every answer that is not 2xx has this shape. The codes each call may give are listed with it.</p>
        <Fields title="Answer" fields={reader.fieldsOf(schema)} showRequired={false} />
        <h5>Details by code</h5>
        <table class="guide">
          {reader.refusals(schema).map(({ code, type, details, description }) => (
            <tr>
              <td>
                <code>{code}</code>
              </td>
              <td>
                <span class="type">{type}</span>{" "}
                <Prose text={description ?? details.map(({ name }) => `\`${name}\``).join(", ")} />
              </td>
            </tr>
          ))}
        </table>
      </div>
      <div class="samples">
        <h5>Example</h5>
        <pre>{JSON.stringify(reader.exampleOf(schema), null, 2)}</pre>
      </div>
    </article>
  );

const Page: FC<{ documentation: Documentation }> = ({ documentation }) => {
  const { info, components } = documentation;
  const surfaces = surfacesOf(documentation);
  const reader = new SchemaReader(components.schemas);
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${info.title} API reference`}</title>
        <style>{raw(docsStyle)}</style>
      </head>
      <body>
        <nav>
          <a class="brand" href="#top">
            {info.title}
          </a>
          <span class="version">{`v${info.version}`}</span>
          {surfaces.map((surface) => (
            <Menu surface={surface} />
          ))}
        </nav>
        <main id="top">
          <h1>{`${info.title} API reference`}</h1>
          <p class="lead">{info.description}</p>
          <p>
            Drawn from <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1), which is made from the schemas that
            validate.
          </p>
          <Refusals reader={reader} schema={components.schemas["ErrorAnswer"]} />
          {surfaces.map((surface) => (
            <section class="surface">
              <h2>{titleOf(surface)}</h2>
              <p>
                <code>{surface.base}</code>, signed with <code>Authorization: Bearer …</code>.{" "}
                <Prose text={components.securitySchemes[surface.security]?.description ?? ""} />
              </p>
              {surface.tags.map(([tag, entries]) => (
                <section class="tag" id={anchorOf(surface.base, tag)}>
                  <h3>{tag}</h3>
                  {entries.map((entry) => (
                    <OperationArticle entry={entry} reader={reader} />
                  ))}
                </section>
              ))}
            </section>
          ))}
        </main>
      </body>
    </html>
  );
};

/** The page as served at an origin, and the policy under which a browser shows it: nothing but its own style. */
export async function renderPage(document: Document): Promise<{ pageFor(origin: string): string; policy: string }> {
  const page = await html`<!doctype html>${(<Page documentation={documentShape.parse(document)} />)}`;
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(docsStyle))).toBase64();
  return {
    pageFor: (origin) => page.replaceAll(ORIGIN, origin),
    policy: `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}
