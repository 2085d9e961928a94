import type { Sample } from "../code.tsx";
import { ORIGIN } from "../origin.ts";
import { type DocumentedOperation, exampleOfBody, exampleOfParameter, type NamedParameter } from "./operations.ts";
import type { SchemaReader } from "./schema-reader.ts";

const isOperators = ({ operation }: DocumentedOperation): boolean =>
  Object.hasOwn(operation.security[0] ?? {}, "operatorToken");

const jsonBody = ({ operation }: DocumentedOperation) => operation.requestBody?.content["application/json"];

const inPath = ({ parameters }: DocumentedOperation) => parameters.filter((parameter) => parameter.in === "path");

const queryOf = ({ parameters }: DocumentedOperation) =>
  parameters.flatMap((parameter): [string, string][] => {
    const example = exampleOfParameter(parameter);
    return parameter.in === "query" && example !== null ? [[parameter.name, example]] : [];
  });

const shellVariable = ({ component }: NamedParameter) =>
  `$${component.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase()}`;

/** An id in an example. The group `name` is the field's name without `_id`, from which the variable gets its name. */
const EXAMPLE_ID = /(?<="?(?<name>[a-z]+)_id"?: )"[a-z]+_[0-9a-hjkmnp-tv-z]{26}"/g;

const typescriptVariable = ({ component }: NamedParameter) => component.charAt(0).toLowerCase() + component.slice(1);

/** JSON in single quotes for a shell, with variables instead of the ids. */
const shellJson = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replaceAll("'", "'\\''")
    .replaceAll(EXAMPLE_ID, (_, name: string) => `"'$${name.toUpperCase()}_ID'"`);

function curlOf(entry: DocumentedOperation, reader: SchemaReader): string {
  const token = isOperators(entry) ? "$ADMIN_TOKEN" : "$TIDINGS_API_KEY";
  const path = inPath(entry).reduce(
    (text, parameter) => text.replace(`{${parameter.name}}`, () => shellVariable(parameter)),
    entry.path,
  );
  const search = new URLSearchParams(queryOf(entry)).toString().replaceAll("%2C", ",");
  const body = jsonBody(entry);
  const json = body === undefined ? "" : shellJson(exampleOfBody(body, reader));
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

/** JSON in TypeScript's syntax: names without quotes if possible, and variables for ids. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replace(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:")
    .replaceAll(EXAMPLE_ID, (_, name: string) => `${name}Id`);

/**
 * The name of the variable for one item if a sample loops over a list. Null if the response is not a page of a
 * list.
 */
function itemOf({ operation }: DocumentedOperation, reader: SchemaReader): string | null {
  const page = reader.resolve(operation.responses["200"]?.content["application/json"]?.schema ?? {}).properties ?? {};
  if (page["next_cursor"] === undefined && page["next_after"] === undefined) return null;
  const items = Object.keys(page).find((name) => reader.resolve(page[name] ?? {}).items !== undefined);
  return items?.replace(/ies$/, "y").replace(/s$/, "") ?? null;
}

function typescriptOf(entry: DocumentedOperation, reader: SchemaReader): string {
  const query = queryOf(entry);
  const body = jsonBody(entry);
  const given = body === undefined ? Object.fromEntries(query) : exampleOfBody(body, reader);
  const hasGiven = body !== undefined || query.length > 0;
  const values = [...inPath(entry).map(typescriptVariable), ...(hasGiven ? [literal(given)] : [])];
  const call = `tidings.${entry.operation.operationId}(${values.join(", ")})`;
  const item = itemOf(entry, reader);
  return item === null ? `await ${call};` : `for await (const ${item} of ${call}) {\n  console.log(${item});\n}`;
}

export const samplesOf = (entry: DocumentedOperation, reader: SchemaReader): Sample[] => [
  { language: "sh", title: "curl", code: curlOf(entry, reader) },
  { language: "ts", code: typescriptOf(entry, reader) },
];
