// Every operation of the client as a command: `tidings contacts list --json '{"limit": 5}'`.
import { createWriteStream } from "node:fs";
import { text } from "node:stream/consumers";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import type { Tidings, WriteOptions } from "../src/index.ts";
import { print, UsageError } from "./output.ts";

type Operation = (...args: unknown[]) => unknown;

const isOperation = (value: unknown): value is Operation => typeof value === "function";

const isGroup = (value: unknown): value is object => typeof value === "object" && value !== null;

/** `customFields` is `custom-fields` on a command line. */
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The JSON of an option; `-` reads it from the input. Throws `UsageError`. */
async function readJson(given: string): Promise<object> {
  try {
    const value: unknown = JSON.parse(given === "-" ? await text(process.stdin) : given);
    if (isGroup(value) && !Array.isArray(value)) return value;
  } catch {
    // Refused below.
  }
  throw new UsageError("--json takes a JSON object, or - to read one from the input.");
}

interface OperationOptions {
  json?: string;
  idempotencyKey?: string;
  output?: string;
}

/** The operation's arguments: ids, then what is sent, then the options, which every operation takes last. Throws `UsageError`. */
function argumentsOf(
  operation: Operation,
  ids: readonly string[],
  sent: object | undefined,
  options: WriteOptions,
): unknown[] {
  const places = operation.length - 1;
  const given = sent === undefined ? ids : [...ids, sent];
  if (given.length > places) throw new UsageError("There are more arguments than this takes.");
  return [...given, ...Array.from({ length: places - given.length }, () => undefined), options];
}

/** Calls an operation. Throws `UsageError` where an id is missing or is none. */
async function call(operation: Operation, args: unknown[]): Promise<unknown> {
  try {
    return await operation(...args);
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
}

async function show(answer: unknown, output: string | undefined): Promise<void> {
  if (!(answer instanceof Response)) {
    if (output !== undefined) throw new UsageError("--output is for files.");
    return print(JSON.stringify(answer, null, 2));
  }
  if (output === undefined && process.stdout.isTTY)
    throw new UsageError("A file may steer the terminal. Name one to write to with --output, or pipe it on.");
  const to = output === undefined ? process.stdout : createWriteStream(output);
  await pipeline(Readable.from(answer.body ?? []), to, { end: output !== undefined });
}

/** Adds the operations of a client; those that have commands of their own are left as they are. */
export function addOperations(program: Command, sample: Tidings, connect: () => Tidings): void {
  for (const [resource, group] of Object.entries(sample)) {
    if (resource === "manage" || !isGroup(group)) continue;
    const own = program.commands.find((command) => command.name() === kebab(resource));
    const parent = own ?? program.command(kebab(resource)).description(Object.keys(group).map(kebab).join(", "));
    for (const [verb, sampled] of Object.entries(group)) {
      if (!isOperation(sampled) || parent.commands.some((command) => command.name() === kebab(verb))) continue;
      parent
        .command(`${kebab(verb)} [ids...]`)
        .description(`tidings.${resource}.${verb} of the client`)
        .option("--json <object>", "the query or the body; - reads it from the input")
        .option("--idempotency-key <key>", "makes a call happen once, however often it is made")
        .option("-o, --output <file>", "for files: where to write the bytes")
        .action(async (ids: string[], { json, idempotencyKey, output }: OperationOptions) => {
          const sent = json === undefined ? undefined : await readJson(json);
          const target: unknown = Reflect.get(Object(Reflect.get(connect(), resource)), verb);
          if (!isOperation(target)) throw new UsageError(`There is no ${resource}.${verb}.`);
          await show(await call(target, argumentsOf(target, ids, sent, { idempotencyKey })), output);
        });
    }
  }
}
