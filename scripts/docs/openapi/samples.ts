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

/**
 * Matches an id in an example, if it is the value of a field such as `contact_id`. The samples replace the id with a
 * variable. For this field, the group `name` is `contact`, and the variable is `$CONTACT_ID` or `contactId`.
 */
const EXAMPLE_ID = /(?<="?(?<name>[a-z]+)_id"?: )"[a-z]+_[0-9a-hjkmnp-tv-z]{26}"/g;

const typescriptVariable = ({ component }: NamedParameter) => component.charAt(0).toLowerCase() + component.slice(1);

/** Returns JSON for an argument in single quotes in a shell. Ids become variables, such as `$CONTACT_ID`. */
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

/** Returns the value as TypeScript code. Names have no quotes if possible, and ids become variables. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replace(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:")
    .replaceAll(EXAMPLE_ID, (_, name: string) => `${name}Id`);

/**
 * If an operation returns a page of a list, its sample is a loop over the list. Returns the name of the loop's
 * variable, such as `contact`. Returns null for all other operations.
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
