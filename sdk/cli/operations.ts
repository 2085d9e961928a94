// One command per operation, such as `tidings contacts list --json '{"limit": 5}'`.
import { createWriteStream } from "node:fs";
import { text } from "node:stream/consumers";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import type { Tidings } from "../src/index.ts";
import { type OperationShape, operationShapes } from "./generated/operation-shapes.ts";
import { print, UsageError } from "./output.ts";

type Operation = (...args: unknown[]) => unknown;

const isOperation = (value: unknown): value is Operation => typeof value === "function";

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Turns `customFields` into `custom-fields`. */
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Parses the JSON of an option. If the option is `-`, parses JSON from stdin. Throws `UsageError`. */
async function readJson(given: string): Promise<object> {
  try {
    const value: unknown = JSON.parse(given === "-" ? await text(process.stdin) : given);
    if (isObject(value)) return value;
  } catch {
    // The error below explains the format.
  }
  throw new UsageError("--json requires a JSON object, or - to read the object from stdin.");
}

interface OperationFlags {
  json?: string;
  idempotencyKey?: string;
  output?: string;
}

/** Calls an operation of the client. Throws `UsageError` if an id is invalid. */
async function call(tidings: Tidings, name: string, args: unknown[]): Promise<unknown> {
  const operation: unknown = name.split(".").reduce((group, word) => Reflect.get(Object(group), word), tidings);
  if (!isOperation(operation)) throw new UsageError(`Unknown operation ${name}.`);
  try {
    return await operation(...args);
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
}

async function show(answer: unknown, output: string | undefined): Promise<void> {
  if (!(answer instanceof Response)) return print(JSON.stringify(answer, null, 2));
  if (output === undefined && process.stdout.isTTY)
    throw new UsageError("The bytes of a file could control the terminal. Pass --output <file>, or pipe the output.");
  const to = output === undefined ? process.stdout : createWriteStream(output);
  await pipeline(Readable.from(answer.body ?? []), to, { end: output !== undefined });
}

function addOperation(parent: Command, verb: string, shape: OperationShape, connect: () => Tidings): void {
  const { name, summary, ids, input, isKeyed, isFile } = shape;
  const command = parent
    .command([verb, ...ids.map((id) => `<${id}>`)].join(" "))
    .description(summary)
    .addHelpText("after", `\nFields and errors: /docs/reference of your deployment, operation ${name}.`);
  if (input) command.option("--json <object>", `the ${input}; - reads the ${input} from stdin`);
  if (isKeyed) command.option("--idempotency-key <key>", "prevents a second execution if the call is repeated");
  if (isFile) command.option("-o, --output <file>", "file to write to");
  command.action(async () => {
    const { json, idempotencyKey, output } = command.opts<OperationFlags>();
    const sent = json === undefined ? undefined : await readJson(json);
    const args = [...command.args, ...(input ? [sent] : []), { idempotencyKey }];
    await show(await call(connect(), name, args), output);
  });
}

export function addOperations(program: Command, connect: () => Tidings): void {
  for (const shape of operationShapes) {
    const [resource = "", verb = ""] = shape.name.split(".").map(kebab);
    const parent = program.commands.find((command) => command.name() === resource) ?? program.command(resource);
    if (parent.commands.some((command) => command.name() === verb)) continue;
    addOperation(parent, verb, shape, connect);
    parent.description(parent.commands.map((command) => command.name()).join(", "));
  }
}
