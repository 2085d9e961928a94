import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@hey-api/openapi-ts";
import { format } from "oxfmt";
import settings from "../../.oxfmtrc.json" with { type: "json" };
import { type ClientOperation, readOperations } from "./client-operations.ts";
import ts from "typescript";

const HEADER = "// Made by `npm run generate` from openapi.json.\n";

export async function makeClient(document: unknown): Promise<[path: string, text: string][]> {
  const { operations, schemas } = readOperations(document);
  return [
    ["sdk/src/generated/types.ts", await formatted(await makeTypes(schemas))],
    ["sdk/cli/generated/operation-shapes.ts", await formatted(makeShapes(operations))],
    ["sdk/src/generated/operations.ts", await formatted(makeOperations(operations, Object.keys(schemas)))],
  ];
}

async function formatted(text: string): Promise<string> {
  const { code, errors } = await format("generated.ts", text, { printWidth: settings.printWidth });
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return code;
}

/**
 * Generates the types of the schemas. The paths are left out, because the generator would create three types for
 * each operation and the SDK does not use them.
 */
async function makeTypes(schemas: Record<string, Record<string, unknown>>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "tidings-types-"));
  try {
    await createClient({
      input: {
        openapi: "3.1.0",
        info: { title: "Tidings", version: "1" },
        paths: {},
        components: { schemas },
      },
      output: { path },
      plugins: ["@hey-api/typescript"],
      logs: { level: "silent" },
    });
    return HEADER + tidyTypes(await readFile(join(path, "types.gen.ts"), "utf8"));
  } finally {
    await rm(path, { recursive: true });
  }
}

function makeOperations(operations: ClientOperation[], types: string[]): string {
  const members = [
    ...groupByFirstWord(operations.map((operation) => ({ words: operation.name.split("."), operation }))),
  ]
    .map(([word, group]) => `  readonly ${word} = ${renderGroup(group)};\n`)
    .join("\n");
  const used = types.filter((type) => new RegExp(`\\b${type}\\b`).test(members)).toSorted();
  return `${HEADER}
import type { CallOptions, ChangeOptions, MediaFile, Revisioned, UploadOptions, WriteOptions } from "../options.ts";
import type { List } from "../list.ts";
import { pathOf, type Transport } from "../transport.ts";
import type { ${used.join(", ")} } from "./types.ts";

/** Every operation of the API, by its name. */
export abstract class Operations {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

${members}}
`;
}

function makeShapes(operations: ClientOperation[]): string {
  const shapes = operations
    .filter(({ name }) => !name.startsWith("manage."))
    .map(({ name, docs, path, query, body, isKeyed, answer }) => ({
      name,
      summary: docs.split("\n")[0]?.replace(/\.$/, ""),
      ids: idsIn(path),
      input: query ? "query" : body ? "body" : null,
      isKeyed,
      isFile: answer === null,
    }));
  return `${HEADER}
export interface OperationShape {
  name: string;
  summary: string;
  ids: string[];
  input: "query" | "body" | null;
  isKeyed: boolean;
  isFile: boolean;
}

export const operationShapes: OperationShape[] = ${JSON.stringify(shapes)};
`;
}

const idsIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

interface Named {
  /**
   * The words of the operation's name, without the names of the groups around it. For example, only `create` is left
   * of `manage.workspaces.create` in the group `manage.workspaces`.
   */
  words: string[];
  operation: ClientOperation;
}

const groupByFirstWord = (operations: Named[]) => Map.groupBy(operations, ({ words }) => words[0] ?? "");

function renderGroup(group: Named[]): string {
  const rest = group.map(({ words, operation }) => ({ words: words.slice(1), operation }));
  const members = [...groupByFirstWord(rest)].map(([word, operations]) => {
    const [only] = operations;
    const isOperation = only !== undefined && only.words.length === 1;
    return isOperation ? renderOperation(word, only.operation) : `${word}: ${renderGroup(operations)},\n`;
  });
  return `{\n${members.join("")}}`;
}

function renderOperation(word: string, operation: ClientOperation): string {
  const ids = idsIn(operation.path);
  const path = ids.length === 0 ? `"${operation.path}"` : `pathOf\`${operation.path.replaceAll("{", "${")}\``;
  const { input, answer, call } = signatureOf(operation, path);
  const parameters = [...ids.map((id) => `${id}: string`), ...input].join(", ");
  const docs = operation.docs.replaceAll("*/", "*\\/").replaceAll("\n", "\n * ");
  return `/**\n * ${docs}\n */\n${word}: (${parameters}): ${answer} =>\n  this.#api.${call},\n`;
}

function signatureOf(operation: ClientOperation, path: string) {
  const { method, isKeyed, isConditional, isRevisioned, query, body, takesBytes, answer, list } = operation;
  const given = query ?? body;
  const options = `options?: ${isConditional ? "ChangeOptions" : isKeyed ? "WriteOptions" : "CallOptions"}`;
  const name = query ? "query" : "body";
  const input = given ? [given.required ? `${name}: ${given.type}` : `${name}?: ${given.type}`, options] : [options];
  if (answer === null)
    return { input, answer: "Promise<Response>", call: `download(${path}, options${query ? ", query" : ""})` };
  if (takesBytes && body && query) {
    const upload = [`file: MediaFile | ${body.type}`, `options?: UploadOptions & ${query.type}`];
    return { input: upload, answer: `Promise<${answer}>`, call: `upload(${path}, file, options)` };
  }
  if (query && body)
    throw new Error(`${method} ${path} has both a query and a body, which the client does not support.`);
  if (list) {
    const next = list.more ? `page.${list.more} ? page.${list.next} : null` : `page.${list.next}`;
    const read = `(page) => [page.${list.items}, "${list.parameter}", ${next}]`;
    return { input, answer: `List<${answer}, ${list.itemType}>`, call: `list(${path}, query, options, ${read})` };
  }
  const call =
    method === "GET"
      ? `read(${path}, ${query ? "query" : "undefined"}, options)`
      : `${isKeyed ? "writeOnce" : "write"}("${method}", ${path}, ${body ? "body" : "undefined"}, options)`;
  return { input, answer: `Promise<${isRevisioned ? `Revisioned<${answer}>` : answer}>`, call };
}

/** Changes the generated types, so that they work with strict compiler options and editors can suggest values. */
function tidyTypes(text: string): string {
  const edits: { from: number; to: number; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    // In a project with `exactOptionalPropertyTypes`, `name?: string` would reject `{ name: undefined }`.
    if (ts.isPropertySignature(node) && node.questionToken && node.type && !isUnknown(node.type))
      edits.push({ from: node.type.end, to: node.type.end, text: " | undefined" });
    // TypeScript reduces `"a" | string` to `string`, so editors would not suggest `"a"`. It does not reduce
    // `"a" | (string & {})`.
    if (ts.isUnionTypeNode(node) && node.types.some(isText))
      for (const { kind, pos, end } of node.types)
        if (kind === ts.SyntaxKind.StringKeyword) edits.push({ from: pos, to: end, text: " (string & {})" });
    // The generator always adds `ClientOptions`. It is for the generator's own client, which we do not use.
    if (ts.isTypeAliasDeclaration(node) && node.name.text === "ClientOptions")
      edits.push({ from: node.pos, to: node.end, text: "" });
    else ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("types.ts", text, ts.ScriptTarget.Latest));
  return edits
    .toSorted((a, b) => b.from - a.from)
    .reduce((tidied, edit) => tidied.slice(0, edit.from) + edit.text + tidied.slice(edit.to), text);
}

const isUnknown = ({ kind }: ts.TypeNode): boolean => kind === ts.SyntaxKind.UnknownKeyword;

const isText = (node: ts.TypeNode): boolean => ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal);
