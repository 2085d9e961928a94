// The log: one JSON line for each failure, with the event's name, ids of ours, counts and the error. Of an error its kind,
// its message and where it was thrown; never the values of a statement, which are numbers, texts and session tokens, nor
// what was read when something could not be parsed. Requests are not logged, nor their addresses, which hold what was
// searched for: the platform's own lines about them are off in wrangler.toml.
import { cut } from "./text.ts";

type Fields = Record<string, unknown>;

const MAX_MESSAGE = 2000;
const MAX_FRAMES = 4000;
const MAX_CAUSES = 5;
const MAX_ERRORS = 10;
const MAX_ISSUES = 20;

const isIssue = (issue: unknown): issue is { path: unknown[]; code: unknown } =>
  typeof issue === "object" &&
  issue !== null &&
  Array.isArray(Reflect.get(issue, "path")) &&
  typeof Reflect.get(issue, "code") === "string";

/** The faults of a schema, without what was found instead. */
function issuesOf(error: Error): string | null {
  const issues: unknown = Reflect.get(error, "issues");
  if (!Array.isArray(issues)) return null;
  const described = issues
    .filter(isIssue)
    .map(({ path, code }) => `${path.map(String).join(".") || "value"}: ${String(code)}`);
  return described.slice(0, MAX_ISSUES).join(", ");
}

/** Drizzle ends the message of a failed query with its parameters; parsers of JSON quote what they could not read. */
function messageOf(error: Error): string {
  const issues = issuesOf(error);
  if (issues !== null) return cut(issues, MAX_MESSAGE);
  if (error instanceof SyntaxError) return /json/i.test(error.message) ? "Invalid JSON." : "Invalid syntax.";
  const [statement = ""] = error.message.split("\nparams: ", 1);
  return cut(statement, MAX_MESSAGE);
}

const FRAME = /^\s+at \S.*$/;

/** The frames of the place where it was thrown. A stack begins with the message, and a line of the message may look like a frame. */
function framesOf({ message, stack = "" }: Error): string[] {
  const at = stack.indexOf(message);
  const frames = at === -1 ? "" : stack.slice(at + message.length);
  return cut(frames, MAX_FRAMES)
    .split("\n")
    .filter((line) => FRAME.test(line))
    .map((line) => line.trim());
}

function describe(value: unknown, depth = 0): unknown {
  if (!(value instanceof Error)) return value;
  const inner = (each: unknown) =>
    each instanceof Error && depth < MAX_CAUSES ? describe(each, depth + 1) : undefined;
  return {
    name: value.name,
    message: messageOf(value),
    stack: framesOf(value),
    cause: inner(value.cause),
    ...(value instanceof AggregateError && { errors: value.errors.slice(0, MAX_ERRORS).map(inner) }),
  };
}

function writeError(event: string, fields: Fields) {
  // An error that has a form of its own in JSON would be written in that.
  const described = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, describe(value)]));
  const line = JSON.stringify({ level: "error", event, ...described }, (_, value: unknown) => describe(value));
  console.error(line);
}

/** Callers pass ids, counts and errors, never secrets, addresses of people or texts of messages. */
export const log = {
  error: (event: string, fields: Fields = {}) => writeError(event, fields),
};
