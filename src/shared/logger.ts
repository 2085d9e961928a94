// Writes each failure as one line of JSON. The line does not contain SQL parameters, unparsable input or URLs,
// because these can contain personal data.
import { cut } from "./text/text.ts";

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

function issuesOf(error: Error): string | null {
  const issues: unknown = Reflect.get(error, "issues");
  if (!Array.isArray(issues)) return null;
  const described = issues
    .filter(isIssue)
    .map(({ path, code }) => `${path.map(String).join(".") || "value"}: ${String(code)}`);
  return described.slice(0, MAX_ISSUES).join(", ");
}

/**
 * Removes personal data from an error's message: Drizzle writes SQL parameters into its messages, and parsers
 * quote their input.
 */
function messageOf(error: Error): string {
  const issues = issuesOf(error);
  if (issues !== null) return cut(issues, MAX_MESSAGE);
  if (error instanceof SyntaxError) return /json/i.test(error.message) ? "Invalid JSON." : "Invalid syntax.";
  const [statement = ""] = error.message.split("\nparams: ", 1);
  return cut(statement, MAX_MESSAGE);
}

const FRAME = /^\s+at \S.*$/;

/**
 * Reads stack frames only after the message, because a line of the message can look like a stack frame and
 * contain personal data.
 */
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
  // Describes errors before `JSON.stringify`, which would otherwise call their `toJSON` and log its result.
  const described = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, describe(value)]));
  const line = JSON.stringify({ level: "error", event, ...described }, (_, value: unknown) => describe(value));
  console.error(line);
}

/** Log only ids, counts and errors, never secrets, phone numbers, emails or message texts. */
export const log = {
  error: (event: string, fields: Fields = {}) => writeError(event, fields),
  info: (event: string, fields: Fields) => console.log(JSON.stringify({ level: "info", event, ...fields })),
};
