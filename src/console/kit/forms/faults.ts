import * as z from "zod";
import { AppError, type Fault, invalid } from "../../../shared/errors.ts";
import { REQUIRED } from "../../../shared/faults.ts";

const faultsShape = z.array(z.object({ path: z.string(), code: z.string(), message: z.string() }));
const conflictDetails = z.object({ field: z.string() });
const missingVariables = z.object({ variables: z.array(z.string()) });

export const VARIABLE_PREFIX = "variables.";

export interface ErrorFields {
  code: string;
  message: string;
  details: unknown;
}

const wordForForm = (fault: Fault): Fault =>
  fault.message === REQUIRED ? { ...fault, message: "This field is required." } : fault;

const HEADER = /^((?:cards\.\d\.)?header\.)(image|video|document|location)$/;

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

export function readFaults({ code, message, details }: ErrorFields): Fault[] {
  if (code === "validation_failed") return faultsShape.parse(details).map(wordForForm);
  if (code === "missing_variable")
    return missingVariables.parse(details).variables.map((name) => locateMissing(name, code));
  const field = code === "conflict" ? conflictDetails.safeParse(details).data?.field : undefined;
  return field === undefined ? [] : [{ path: field, code, message }];
}

export async function atFields<T>(work: Promise<T>, locate: (fault: Fault) => Fault): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isInvalid = error instanceof AppError && error.code === "validation_failed";
    throw isInvalid ? invalid(readFaults(error).map(locate)) : error;
  }
}

/** The message of a toast. Contains the messages of all faults, because a toast is not next to the fields. */
export function toastOfError(error: ErrorFields): string {
  const messages = new Set(readFaults(error).map(({ message }) => message));
  return messages.size === 0 ? error.message : [...messages].join(" ");
}
