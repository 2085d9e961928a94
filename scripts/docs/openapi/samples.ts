// How an operation is called, in each language that the reference shows.
import type { Sample } from "../code.tsx";
import { exampleOfBody, exampleOfParameter } from "./examples.ts";
import type { DocumentedOperation } from "./operations.ts";
import type { SchemaReader } from "./schema-reader.ts";

/** Stands for where this deployment is; a script of the page puts its own address there. */
export const ORIGIN = "https://tidings.example";

const isOperators = ({ operation }: DocumentedOperation): boolean =>
  Object.hasOwn(operation.security[0] ?? {}, "operatorToken");

const jsonBody = ({ operation }: DocumentedOperation) => operation.requestBody?.content["application/json"];

/** Values for what a path names and for what a query must have. */
function argumentsOf({ parameters }: DocumentedOperation, reader: SchemaReader) {
  const given = (place: string) =>
    parameters
      .filter((parameter) => parameter.in === place && parameter.required)
      .map((parameter): [string, string] => [parameter.name, exampleOfParameter(parameter, reader)]);
  return { path: given("path"), query: given("query") };
}

function curlOf(entry: DocumentedOperation, reader: SchemaReader): string {
  const { path: inPath, query } = argumentsOf(entry, reader);
  const token = isOperators(entry) ? "$ADMIN_TOKEN" : "$TIDINGS_API_KEY";
  const path = inPath.reduce((text, [name, value]) => text.replace(`{${name}}`, value), entry.path);
  const search = new URLSearchParams(query).toString();
  const body = jsonBody(entry);
  const json = body === undefined ? "" : JSON.stringify(exampleOfBody(body, reader), null, 2).replaceAll("'", "'\\''");
  const method =
    entry.method === "get" || (entry.method === "post" && body !== undefined)
      ? ""
      : ` -X ${entry.method.toUpperCase()}`;
  return [
    `curl${method} "${ORIGIN}${path}${search === "" ? "" : `?${search}`}"`,
    `-H "Authorization: Bearer ${token}"`,
    ...(body === undefined ? [] : [`-H "Content-Type: application/json"`, `-d '${json}'`]),
  ].join(" \\\n  ");
}

/** JSON as TypeScript writes it: names without quotes where they need none. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:");

/** What a loop over a list calls each of its items; null where the answer is no page of a list. */
function itemOf({ operation }: DocumentedOperation, reader: SchemaReader): string | null {
  const page = reader.resolve(operation.responses["200"]?.content["application/json"]?.schema ?? {}).properties ?? {};
  if (page["next_cursor"] === undefined && page["next_after"] === undefined) return null;
  const items = Object.keys(page).find((name) => reader.resolve(page[name] ?? {}).items !== undefined);
  return items?.replace(/ies$/, "y").replace(/s$/, "") ?? null;
}

function typescriptOf(entry: DocumentedOperation, reader: SchemaReader): string {
  const { path, query } = argumentsOf(entry, reader);
  const body = jsonBody(entry);
  const given = body === undefined ? Object.fromEntries(query) : exampleOfBody(body, reader);
  const hasGiven = body !== undefined || query.length > 0;
  const values = [...path.map(([, value]) => JSON.stringify(value)), ...(hasGiven ? [literal(given)] : [])];
  const call = `tidings.${entry.operation.operationId}(${values.join(", ")})`;
  const item = itemOf(entry, reader);
  return item === null ? `await ${call};` : `for await (const ${item} of ${call}) {\n  console.log(${item});\n}`;
}

export const samplesOf = (entry: DocumentedOperation, reader: SchemaReader): Sample[] => [
  { language: "sh", title: "curl", code: curlOf(entry, reader) },
  { language: "ts", code: typescriptOf(entry, reader) },
];
