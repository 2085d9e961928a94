import * as z from "zod";
import type { Fault } from "../../shared/errors.ts";
import { REQUIRED } from "../../shared/faults.ts";

const faultsShape = z.array(z.object({ path: z.string(), code: z.string(), message: z.string() }));
const conflictDetails = z.object({ field: z.string() });
const missingVariables = z.object({ variables: z.array(z.string()) });

/** The prefix of the fields for a template's variables. */
export const VARIABLE_PREFIX = "variables.";

/** The parts of an error that answers show. */
export interface ErrorFields {
  code: string;
  message: string;
  details: unknown;
}

/** A required field of a form is not missing but empty. */
const wordForForm = (fault: Fault): Fault =>
  fault.message === REQUIRED ? { ...fault, message: "Fill this in." } : fault;

/** The faults of single fields in an error: those of validation, the field of a conflict, and variables without a value. */
export function readFaults({ code, message, details }: ErrorFields): Fault[] {
  if (code === "validation_failed") return faultsShape.parse(details).map(wordForForm);
  if (code === "missing_variable") {
    const fault = { code, message: "There is no value for this variable. Enter one." };
    return missingVariables.parse(details).variables.map((name) => ({ path: VARIABLE_PREFIX + name, ...fault }));
  }
  const field = code === "conflict" ? conflictDetails.safeParse(details).data?.field : undefined;
  return field === undefined ? [] : [{ path: field, code, message }];
}
