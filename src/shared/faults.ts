import type { z } from "zod";
import { type Fault, faultPath, MAX_FAULTS } from "./errors.ts";

/** How to parse, so that a missing value can be told from one of a wrong type. */
export const REPORT = { reportInput: true };
/** What zod calls a value that is not there. */
const MISSING = new Set<string>(["invalid_type", "invalid_value", "invalid_union"]);
const codeOf: Record<string, string> = { invalid_union: "invalid_type", invalid_key: "unknown_field" };

/** The first faults, as the contract has them; `place` goes before their paths. */
export function toFaults(error: z.ZodError, place: string): Fault[] {
  const at = (path: PropertyKey[]) => path.map(String).reduce(faultPath, place) || "body";
  const faults = error.issues.slice(0, MAX_FAULTS).flatMap((issue): Fault[] => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.slice(0, MAX_FAULTS).map((key) => ({
        path: at([...issue.path, key]),
        code: "unknown_field",
        message: "This field is not known here; check its spelling.",
      }));
    }
    const missing = issue.input === undefined && MISSING.has(issue.code);
    const code = issue.code === "custom" ? String(issue.params?.["code"] ?? "invalid_value") : issue.code;
    return [
      {
        path: at(issue.path),
        code: missing ? "required" : (codeOf[code] ?? code),
        message: missing ? "This field is required." : issue.message,
      },
    ];
  });
  return faults.slice(0, MAX_FAULTS);
}
