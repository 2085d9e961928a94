// Reads the operations from the OpenAPI document and groups them by resource. Each resource is one page of the
// reference.
import type { ApiDocument, Media, Operation, Parameter, Response } from "./document.ts";
import type { Field, SchemaReader } from "./schema-reader.ts";

export interface DocumentedOperation {
  method: string;
  path: string;
  operation: Operation;
  parameters: NamedParameter[];
}

/**
 * A parameter and the name of its component. A parameter is often just called `id`, but its component, such as
 * `ContactId`, names the kind of record. The samples use that name for their variables.
 */
export type NamedParameter = Parameter & { component: string };

export interface Resource {
  path: string;
  title: string;
  description: string;
  isManagement: boolean;
  operations: DocumentedOperation[];
}

const nameOf = (ref: string): string => ref.split("/").at(-1) ?? "";

/**
 * Returns the component that the `$ref` of a response names. If the response has its own description next to the
 * `$ref`, this description replaces the component's.
 */
const withDescription = (component: Response | undefined, { description, content }: Response): Response => ({
  description: description || (component?.description ?? ""),
  content: component?.content ?? content,
});

function operationsOf({ paths, components }: ApiDocument): DocumentedOperation[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method,
      path,
      operation: {
        ...operation,
        requestBody:
          operation.requestBody?.$ref === undefined
            ? operation.requestBody
            : components.requestBodies[nameOf(operation.requestBody.$ref)],
        responses: Object.fromEntries(
          Object.entries(operation.responses).map(([status, response]) => [
            status,
            response.$ref === undefined
              ? response
              : withDescription(components.responses[nameOf(response.$ref)], response),
          ]),
        ),
      },
      parameters: operation.parameters.map((parameter) => {
        const component = nameOf(parameter.$ref ?? parameter.name);
        return { ...(components.parameters[component] ?? parameter), component };
      }),
    })),
  );
}

const isOfManagement = ({ path }: DocumentedOperation): boolean => path.startsWith("/manage/");

function pagePath(entry: DocumentedOperation): string {
  const slug = entry.operation.tags[0]?.toLowerCase().replaceAll(" ", "-") ?? "other";
  return `/reference/${isOfManagement(entry) ? "manage/" : ""}${slug}`;
}

export function resourcesOf(document: ApiDocument): Resource[] {
  const describe = new Map(document.tags.map(({ name, description }) => [name, description]));
  return Array.from(Map.groupBy(operationsOf(document), pagePath), ([path, operations]) => {
    const title = operations[0]?.operation.tags[0] ?? "Other";
    return {
      path,
      title,
      description: describe.get(title) ?? "",
      isManagement: operations.some(isOfManagement),
      operations,
    };
  });
}

const firstOf = ({ example, examples }: Media | Parameter): unknown =>
  example ?? Object.values(examples ?? {})[0]?.value;

export const exampleOfBody = (media: Media, reader: SchemaReader): unknown =>
  firstOf(media) ?? reader.resolve(media.schema ?? {}).examples?.[0] ?? {};

export function exampleOfParameter(parameter: Parameter): string | null {
  const value = firstOf(parameter) ?? parameter.schema.examples?.[0];
  if (value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

export const parametersOf = ({ parameters }: DocumentedOperation, location: string, reader: SchemaReader): Field[] =>
  parameters
    .filter((parameter) => parameter.in === location)
    .flatMap(({ name, required, schema, description }) =>
      reader
        .fieldsOf({ properties: { [name]: schema }, required: required ? [name] : [] })
        .map((field) => ({ ...field, description: description ?? field.description })),
    );
