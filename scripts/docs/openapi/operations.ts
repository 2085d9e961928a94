// The operations of the document, as the reference is divided: a resource a page, the public API before the management API.
import type { ApiDocument, Operation, Parameter, Response } from "./document.ts";

export interface DocumentedOperation {
  method: string;
  path: string;
  operation: Operation;
  parameters: Parameter[];
}

export interface Resource {
  /** Below `/docs`. */
  path: string;
  title: string;
  description: string;
  isManagement: boolean;
  operations: DocumentedOperation[];
}

const nameOf = (ref: string): string => ref.split("/").at(-1) ?? "";

/** A component, with what a reference to it says in place of its own description. */
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
      parameters: operation.parameters.map((parameter) =>
        parameter.$ref === undefined ? parameter : (components.parameters[nameOf(parameter.$ref)] ?? parameter),
      ),
    })),
  );
}

export function resourcesOf(document: ApiDocument): Resource[] {
  const describe = new Map(document.tags.map(({ name, description }) => [name, description]));
  const groups = Map.groupBy(operationsOf(document), ({ path, operation }) => {
    const surface = path.startsWith("/manage/") ? "manage" : "public";
    return `${surface} ${operation.tags[0] ?? "Other"}`;
  });
  return Array.from(groups, ([key, operations]) => {
    const [surface = "", ...words] = key.split(" ");
    const title = words.join(" ");
    const isManagement = surface === "manage";
    const slug = title.toLowerCase().replaceAll(" ", "-");
    return {
      path: `/reference/${isManagement ? "manage/" : ""}${slug}`,
      title,
      description: describe.get(title) ?? "",
      isManagement,
      operations,
    };
  });
}
