import * as z from "zod";
import type { Fault } from "../../shared/errors.ts";

const faults = z.array(z.object({ path: z.string(), code: z.string(), message: z.string() }));
const collision = z.object({ field: z.string() });

/** An error as it is told. */
export interface Told {
  code: string;
  message: string;
  details: unknown;
}

/** What an error says of single fields: the faults of `validation_failed`, the field that a `conflict` names. */
export function faultList({ code, message, details }: Told): Fault[] {
  if (code === "validation_failed") return faults.parse(details);
  const field = code === "conflict" ? collision.safeParse(details).data?.field : undefined;
  return field === undefined ? [] : [{ path: field, code, message }];
}
