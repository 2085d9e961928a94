// One operation of the reference page.
import type { FC } from "hono/jsx";
import type { Field, Operation, SchemaReader } from "./docs-schema.ts";

export interface DocumentedOperation {
  method: string;
  path: string;
  operation: Operation;
}

/** Stands for where this deployment is, until a page is served. */
export const ORIGIN = "https://tidings.example";

/** Text with its `code` set as such. */
export const Prose: FC<{ text: string }> = ({ text }) => (
  <>{text.split("`").map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
);

const cellsOf = (line: string) =>
  line
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim());

/** A table as Markdown writes it: a line of heads, one of dashes, then the rows. */
const Table: FC<{ lines: string[] }> = ({ lines: [heads = "", , ...rows] }) => (
  <table class="guide">
    <tr>
      {cellsOf(heads).map((head) => (
        <th>{head}</th>
      ))}
    </tr>
    {rows.map((row) => (
      <tr>
        {cellsOf(row).map((cell) => (
          <td>
            <Prose text={cell} />
          </td>
        ))}
      </tr>
    ))}
  </table>
);

/** Paragraphs and tables, which empty lines part. */
const Description: FC<{ text: string }> = ({ text }) => (
  <>
    {text.split("\n\n").map((block) =>
      block.startsWith("|") ? (
        <Table lines={block.split("\n")} />
      ) : (
        <p>
          <Prose text={block} />
        </p>
      ),
    )}
  </>
);

export const MethodName: FC<{ name: string }> = ({ name }) => (
  <span class={`method ${name}`}>{name === "delete" ? "del" : name}</span>
);

export const Fields: FC<{ title: string; fields: Field[]; showRequired: boolean }> = ({
  title,
  fields,
  showRequired,
}) =>
  fields.length === 0 ? null : (
    <>
      <h5>{title}</h5>
      <table>
        {fields.map(({ name, depth, type, required, limits, description }) => (
          <tr>
            <td class={`depth-${depth}`}>
              <code class="name">{name}</code>
              {showRequired && required && <span class="required">required</span>}
            </td>
            <td>
              <span class="type">{type}</span>
              {limits.length > 0 && <div class="limits mono">{limits.join(" · ")}</div>}
              {description !== undefined && (
                <div>
                  <Prose text={description} />
                </div>
              )}
            </td>
          </tr>
        ))}
      </table>
    </>
  );

const isRefusal = ([status]: readonly [string, unknown]) => Number(status) >= 400;

function curlOf({ method, path, operation }: DocumentedOperation, reader: SchemaReader): string {
  const token = Object.keys(operation.security[0] ?? {})[0] === "operatorToken" ? "$ADMIN_TOKEN" : "$API_KEY";
  const body = operation.requestBody?.content["application/json"];
  const query = operation.parameters.filter((parameter) => parameter.in === "query" && parameter.required);
  const search = query.map(({ name, schema }) => `${name}=${String(reader.exampleOf(schema, name))}`).join("&");
  const json = body === undefined ? "" : JSON.stringify(body.example).replaceAll("'", "'\\''");
  return [
    `curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}'${ORIGIN}${path}${search === "" ? "" : `?${search}`}'`,
    `-H "Authorization: Bearer ${token}"`,
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${json}'`]),
  ].join(" \\\n  ");
}

export const OperationArticle: FC<{ entry: DocumentedOperation; reader: SchemaReader }> = ({ entry, reader }) => {
  const { method, path, operation } = entry;
  const { parameters, requestBody, responses } = operation;
  const named = (place: string): Field[] =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, required, schema }) => ({
        name,
        depth: 0,
        type: reader.typeOf(schema),
        required,
        limits: reader.limitsOf(schema),
        description: schema.description,
      }));
  const body = requestBody?.content["application/json"]?.schema;
  const answers = Object.entries(responses);
  const success = answers.flatMap((answer) => {
    const [status, { content }] = answer;
    const schema = content?.["application/json"]?.schema;
    return isRefusal(answer) || schema === undefined ? [] : [{ status, schema }];
  });
  return (
    <article id={operation.operationId}>
      <div>
        <h4>
          <a href={`#${operation.operationId}`}>{operation.summary}</a>
        </h4>
        <p class="path mono">
          <MethodName name={method} />
          {path}
        </p>
        <Description text={operation.description} />
        <Fields title="Path" fields={named("path")} showRequired={false} />
        <Fields title="Query" fields={named("query")} showRequired />
        <Fields title="Headers" fields={named("header")} showRequired />
        {body !== undefined && <Fields title="Body" fields={reader.fieldsOf(body)} showRequired />}
        {success.map(({ status, schema }) => (
          <Fields title={`Answer ${status}`} fields={reader.fieldsOf(schema)} showRequired={false} />
        ))}
        <h5>Errors</h5>
        <table class="errors">
          {answers.filter(isRefusal).map(([status, { description }]) => (
            <tr>
              <td>{status}</td>
              <td>
                <Prose text={description} />
              </td>
            </tr>
          ))}
        </table>
      </div>
      <div class="samples">
        <h5>Request</h5>
        <pre>{curlOf(entry, reader)}</pre>
        {success.map(({ status, schema }) => (
          <>
            <h5>{`Answer ${status}`}</h5>
            <pre>{JSON.stringify(reader.exampleOf(schema), null, 2)}</pre>
          </>
        ))}
      </div>
    </article>
  );
};
