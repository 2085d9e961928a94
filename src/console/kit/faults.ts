import * as z from "zod";
import type { Fault } from "../../shared/errors.ts";
import { REQUIRED } from "../../shared/faults.ts";

const faults = z.array(z.object({ path: z.string(), code: z.string(), message: z.string() }));
const collision = z.object({ field: z.string() });
const gaps = z.object({ variables: z.array(z.string()) });

/** The fields of a template's variables begin with it. */
export const VARIABLE = "variables.";

/** An error as it is told. */
export interface Told {
  code: string;
  message: string;
  details: unknown;
}

/** In a form a field is there, only empty. */
const inWordsOfForms = (fault: Fault): Fault =>
  fault.message === REQUIRED ? { ...fault, message: "Fill this in." } : fault;

/** What an error says of single fields: faults, the field that a conflict names, variables that nothing fills. */
export function faultList({ code, message, details }: Told): Fault[] {
  if (code === "validation_failed") return faults.parse(details).map(inWordsOfForms);
  if (code === "missing_variable") {
    const said = { code, message: "Nothing fills this in. Give a value." };
    return gaps.parse(details).variables.map((name) => ({ path: VARIABLE + name, ...said }));
  }
  const field = code === "conflict" ? collision.safeParse(details).data?.field : undefined;
  return field === undefined ? [] : [{ path: field, code, message }];
}
