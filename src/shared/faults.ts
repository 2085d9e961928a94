import type * as z from "zod";
import { type Fault, faultPath, MAX_FAULTS } from "./errors.ts";

const typeNames: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

const describeType = (expected: string): string => `Must be ${typeNames[expected] ?? "a value of another type"}.`;

const units: Record<string, [string, string]> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
  set: ["entry", "entries"],
};

const formats: Record<string, string> = {
  datetime: "Must be a date and time with its offset, like 2026-12-01T09:30:00Z.",
  date: "Must be a date, like 2026-12-01.",
  url: "Must be a web address, like https://example.com.",
  email: "Must be an email address, like ada@example.com.",
};

function bound(word: string, limit: number | bigint, origin: string): string {
  const unit = units[origin];
  if (unit === undefined) return `Must be ${word} ${limit}.`;
  return `Must have ${word} ${limit} ${unit[Number(limit) === 1 ? 0 : 1]}.`;
}

const describeIssue: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      return describeType(issue.expected);
    case "invalid_value":
      return `Must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}.`;
    case "too_small":
      return bound("at least", issue.minimum, issue.origin);
    case "too_big":
      return bound("at most", issue.maximum, issue.origin);
    case "invalid_format":
      return formats[issue.format] ?? "This field has an invalid format.";
    case "not_multiple_of":
    case "unrecognized_keys":
    case "invalid_union":
    case "invalid_key":
    case "invalid_element":
    case "custom":
      return "This field has an invalid value.";
  }
};

/** `reportInput` adds the input to Zod's issues. `isMissing` needs it to detect missing values. */
export const REPORT = { reportInput: true, error: describeIssue };

export const REQUIRED = "This field is required.";

const MISSING = new Set<string>(["invalid_type", "invalid_value", "invalid_union"]);
const codeOf: Record<string, string> = { invalid_union: "invalid_type", invalid_key: "unknown_field" };

const isMissing = (issue: z.core.$ZodIssue): boolean =>
  issue.code === "invalid_union" && issue.discriminator !== undefined
    ? !Object.hasOwn(Object(issue.input), issue.discriminator)
    : issue.input === undefined && MISSING.has(issue.code);

/** A fault of the whole value has the path `rootPath`. */
export function toFaults(error: z.core.$ZodError, prefix: string, rootPath = "body"): Fault[] {
  const at = (path: PropertyKey[]) => path.map(String).reduce(faultPath, prefix) || rootPath;
  const faults = error.issues.slice(0, MAX_FAULTS).flatMap((issue): Fault[] => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.slice(0, MAX_FAULTS).map((key) => ({
        path: at([...issue.path, key]),
        code: "unknown_field",
        message: "This field is unknown. Check its spelling.",
      }));
    }
    const missing = isMissing(issue);
    const hasOwnMessage = issue.code === "invalid_type" && issue.message !== describeType(issue.expected);
    const code = issue.code === "custom" ? String(issue.params?.["code"] ?? "invalid_value") : issue.code;
    return [
      {
        path: at(issue.path),
        code: missing ? "required" : (codeOf[code] ?? code),
        message: missing && !hasOwnMessage ? REQUIRED : issue.message,
      },
    ];
  });
  return faults.slice(0, MAX_FAULTS);
}
