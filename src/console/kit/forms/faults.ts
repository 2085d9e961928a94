import * as z from "zod";
import type { Fault } from "../../../shared/errors.ts";
import { REQUIRED } from "../../../shared/faults.ts";

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
  fault.message === REQUIRED ? { ...fault, message: "This field is required." } : fault;

/** The header of a template or of one of its cards, as the feature names what was not sent. */
const HEADER = /^((?:cards\.\d\.)?header\.)(image|video|document|location)$/;

/** The field of what a template needs and did not get: of a variable, or of a part like `cards.0.header.image`. */
function locateMissing(name: string, code: string): Fault {
  const [, at = "", kind] = HEADER.exec(name) ?? [];
  if (kind === "location")
    return { path: `${at}location.latitude`, code, message: "Enter the latitude and longitude." };
  if (kind !== undefined) return { path: `${at}media_id`, code, message: "Choose a file." };
  if (/^(?:cards\.\d\.)?buttons\.\d$/.test(name)) return { path: name, code, message: "This field is required." };
  const [, card, variable = name] = /^(cards\.\d\.)body\.(.+)$/.exec(name) ?? [];
  const message = `Enter a value for {{${variable}}}.`;
  return { path: `${card ?? ""}${VARIABLE_PREFIX}${variable}`, code, message };
}

/** The faults of single fields in an error: those of validation, the field of a conflict, and variables without a value. */
export function readFaults({ code, message, details }: ErrorFields): Fault[] {
  if (code === "validation_failed") return faultsShape.parse(details).map(wordForForm);
  if (code === "missing_variable")
    return missingVariables.parse(details).variables.map((name) => locateMissing(name, code));
  const field = code === "conflict" ? conflictDetails.safeParse(details).data?.field : undefined;
  return field === undefined ? [] : [{ path: field, code, message }];
}

/** An error in a toast, which stands at no field: names of fields are those of the API. */
export function toastOfError(error: ErrorFields): string {
  const messages = new Set(readFaults(error).map(({ message }) => message));
  return messages.size === 0 ? error.message : [...messages].join(" ");
}
