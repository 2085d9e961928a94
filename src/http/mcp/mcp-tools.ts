import * as z from "zod";
import { createSchema } from "zod-openapi";
import { AppError, type Fault, invalid } from "../../shared/errors.ts";
import { canonicalJson } from "../../shared/text/json.ts";
import type { Endpoint, ToolKind } from "../endpoint-spec.ts";
import { idempotencyKey, listUnstorable } from "../request/validate.ts";

type JsonSchema = Record<string, unknown>;

export interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema & { type: "object" };
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

export interface McpTool {
  endpoint: Endpoint;
  isRead: boolean;
  listed: ListedTool;
  toRequest: (args: object, origin: string) => Request;
}

const IDEMPOTENCY_KEY = "idempotency_key";

const pathParam = z.string().min(1).max(100);

const READ: Exclude<ToolKind, "read"> = { destructive: false, idempotent: true, openWorld: false };

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Nearly every text must have at least one character, and calls are checked for this. The listed schemas omit
 * the rule, because models read them in full and should read less.
 */
const isUsualLimit = (name: string, value: unknown): boolean => name === "minLength" && value === 1;

/** Replaces references to components with the components. This ends, because no schema of a request contains itself. */
function inlined(schema: unknown, components: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => inlined(item, components));
  if (!isObject(schema)) return schema;
  // Removes `discriminator`, a keyword of OpenAPI that strict validators of JSON Schema reject.
  const { $ref: reference, discriminator: _, ...own } = schema;
  const target = typeof reference === "string" ? inlined(components.get(reference), components) : {};
  const fields = Object.entries(own).flatMap(([name, value]) =>
    isUsualLimit(name, value) ? [] : [[name, inlined(value, components)]],
  );
  return { ...(isObject(target) && target), ...Object.fromEntries(fields) };
}

const shapeOf = (schema: z.ZodType | undefined): z.ZodRawShape => (schema instanceof z.ZodObject ? schema.shape : {});

function inputSchemaOf(shape: z.ZodRawShape, requires: readonly string[]): ListedTool["inputSchema"] {
  const refPath = "#/";
  const { schema, components } = createSchema(z.strictObject(shape), { io: "input", schemaRefPath: refPath });
  const byReference = new Map(Object.entries(components).map(([name, component]) => [refPath + name, component]));
  const full = inlined(schema, byReference);
  if (!isObject(full)) throw new Error("A tool has no schema.");
  const required = Array.isArray(full["required"]) ? full["required"].map(String) : [];
  return { ...full, type: "object", required: [...new Set([...required, ...requires])] };
}

function queryText(name: string, value: unknown, faults: Fault[]): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
  faults.push({ path: `query.${name}`, code: "invalid_type", message: "Must be a string, a number, true or false." });
  return "";
}

/** Rejects unknown arguments. They would become part of the URL and could make it too long. */
function assertKnownArguments(sent: ReadonlyMap<string, unknown>, known: z.ZodRawShape): void {
  const unknown = [...sent.keys()].find((argument) => !Object.hasOwn(known, argument));
  if (unknown === undefined) return;
  throw invalid({
    path: unknown.slice(0, 100),
    code: "unknown_field",
    message: "This field is unknown. Check its spelling.",
  });
}

const toolName = (operation: string): string => operation.replaceAll(".", "_");

const withToolNames = (text: string, operations: ReadonlySet<string>): string =>
  text.replace(/[a-z]+\.[a-z]+/gi, (word) => (operations.has(word) ? toolName(word) : word));

function createTool(
  endpoint: Endpoint,
  { base, kind, operations }: { base: string; kind: ToolKind; operations: ReadonlySet<string> },
): McpTool {
  const { name, method, path, summary, description, query, body } = endpoint;
  const isRead = kind === "read";
  const { destructive, idempotent, openWorld, requires } = isRead ? READ : kind;
  const params = path.split("/").flatMap((part) => (part.startsWith(":") ? [part.slice(1)] : []));
  const querySchema = shapeOf(query);
  const shape: z.ZodRawShape = {
    ...Object.fromEntries(params.map((param) => [param, pathParam])),
    ...querySchema,
    ...shapeOf(body),
  };
  const keyArgument = isRead ? null : (requires?.argument ?? IDEMPOTENCY_KEY);
  const key = idempotencyKey.meta({
    description:
      "Use one key for each action. Within 24 hours, a repeat with the same key and arguments has no effect.",
  });

  return {
    endpoint,
    isRead,
    listed: {
      name: toolName(name),
      title: summary,
      description: withToolNames(`${summary}. ${description}`, operations),
      inputSchema: inputSchemaOf(
        keyArgument === IDEMPOTENCY_KEY ? { ...shape, [IDEMPOTENCY_KEY]: key } : shape,
        requires === undefined ? [] : [requires.argument],
      ),
      annotations: {
        title: summary,
        readOnlyHint: isRead,
        destructiveHint: destructive,
        idempotentHint: idempotent,
        openWorldHint: openWorld,
      },
    },
    toRequest(args, origin) {
      const faults = listUnstorable(args, "");
      const sent = new Map<string, unknown>(Object.entries(args));
      const take = (argument: string) => {
        const value = sent.get(argument);
        sent.delete(argument);
        return value;
      };
      const check = (argument: string, schema: z.ZodType, value: unknown, wanted: string) => {
        if (schema.safeParse(value).success) return;
        faults.push({ path: argument, code: "invalid_value", message: `Must have ${wanted}.` });
      };
      if (requires !== undefined && !sent.has(requires.argument)) {
        const message = `This field is required. ${requires.hint}`;
        faults.push({ path: requires.argument, code: "required", message });
      }
      const values = new Map(params.map((param) => [param, take(param)]));
      for (const [param, value] of values) check(param, pathParam, value, "1–100 characters");
      const idempotency = keyArgument === null ? undefined : sent.get(keyArgument);
      if (keyArgument !== null) check(keyArgument, idempotencyKey, idempotency, "1–255 printable ASCII characters");
      if (keyArgument === IDEMPOTENCY_KEY) sent.delete(IDEMPOTENCY_KEY);
      const search = new URLSearchParams();
      if (body === undefined) assertKnownArguments(sent, querySchema);
      for (const argument of sent.keys()) {
        if (Object.hasOwn(querySchema, argument)) search.set(argument, queryText(argument, take(argument), faults));
      }
      if (faults.length > 0) throw invalid(faults);

      const filled = path.replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(String(values.get(param))));
      const url = new URL(`${base}${filled}`, origin);
      // An id such as ".." would lead to another endpoint, because `URL` resolves dots in a path.
      if (url.pathname !== `${base}${filled}`) throw new AppError("not_found", "No record has this id.");
      url.search = search.toString();
      const headers = new Headers({ "Content-Type": "application/json" });
      if (typeof idempotency === "string") headers.set("Idempotency-Key", idempotency);
      // Sorts the arguments: a repeated call must have the same bytes to be recognized as a repeat.
      const content = body === undefined ? null : canonicalJson(Object.fromEntries(sent));
      return new Request(url, { method: method.toUpperCase(), headers, body: content });
    },
  };
}

export function createTools(endpoints: readonly Endpoint[], base: string): ReadonlyMap<string, McpTool> {
  const offered = endpoints.flatMap((endpoint) =>
    endpoint.tool === undefined ? [] : [{ endpoint, kind: endpoint.tool }],
  );
  const operations = new Set<string>(offered.map(({ endpoint }) => endpoint.name));
  const tools = offered.map(({ endpoint, kind }) => createTool(endpoint, { base, kind, operations }));
  return new Map(tools.map((tool) => [tool.listed.name, tool]));
}
