import type { z } from "zod";
import { parseRow } from "../../http/validate.ts";
import { AppError, type Fault, invalid } from "../../shared/errors.ts";
import { faultList } from "./faults.ts";

/** The hidden field that shows that a form comes from a page of ours. */
export const TOKEN_FIELD = "csrf_token";

/** What a form was sent with and what was wrong with it. `name` says which form, where a page has several. */
export interface FormState {
  name: string;
  values: Record<string, string[]>;
  faults: Fault[];
  /** What is wrong with none of its fields in particular. */
  banner: string | null;
  /** What the error adds to its message: a conflict's `contact_id`, say. */
  details: unknown;
}

/** A form that has not been sent. */
export const untouched: FormState = { name: "", values: {}, faults: [], banner: null, details: null };

/** The state of one of the forms of a page. */
export const stateOf = (state: FormState, name: string): FormState => (state.name === name ? state : untouched);

/** What a browser sent of a form. Empty fields count as left out. */
export class SentForm {
  constructor(readonly values: Record<string, string[]>) {}

  /** The token of the page it is on, which is no field of its own. */
  takeToken(): string | undefined {
    const token = this.text(TOKEN_FIELD);
    delete this.values[TOKEN_FIELD];
    return token;
  }

  /** As typed, or undefined where it is empty. */
  text(name: string): string | undefined {
    const value = this.values[name]?.[0];
    return value === undefined || value === "" ? undefined : value;
  }

  /** For changes, where an empty field clears: null. */
  textOrNull(name: string): string | null {
    return this.text(name) ?? null;
  }

  /** A number; what is none stays text, so that the schema says so. */
  number(name: string): number | string | undefined {
    const value = this.text(name)?.trim();
    return value === undefined || Number.isNaN(Number(value)) ? value : Number(value);
  }

  /** Of a check box. */
  checked(name: string): boolean {
    return this.values[name] !== undefined;
  }

  /** Of check boxes or selects of one name. */
  all(name: string): string[] {
    return (this.values[name] ?? []).filter((value) => value !== "");
  }

  /** Every field that is not empty as text; `config.session` becomes `session` within `config`. */
  body(): Record<string, unknown> {
    const body: Record<string, unknown> = {};
    for (const name of Object.keys(this.values)) {
      const value = this.text(name);
      if (value !== undefined) place(body, name.split("."), value);
    }
    return body;
  }
}

function place(target: Record<string, unknown>, [name = "", ...rest]: string[], value: string): void {
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const existing = target[name];
  const inner = isRecord(existing) ? existing : {};
  target[name] = inner;
  place(inner, rest, value);
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Judges with the schema of the API. Throws `validation_failed`. */
export function judge<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const row = parseRow(schema, value);
  if (row.faults !== null) throw invalid(...row.faults);
  return row.data;
}

/** The field that a fault is shown beside: the one it names, is within, or is the first part of. */
const fieldOf = (path: string, names: string[]): string | undefined =>
  names.find((name) => name === path) ??
  names.find((name) => path.startsWith(`${name}.`) || name.startsWith(`${path}.`));

/** How a refused form is shown again; passwords are typed again. */
export function refusedForm(name: string, values: FormState["values"], error: AppError): FormState {
  const names = Object.keys(values);
  const found = faultList(error).map((fault) => ({ ...fault, field: fieldOf(fault.path, names) }));
  // What was not sent may be a field all the same: lists of which nothing is chosen are not.
  const faults = found.map(({ field, ...fault }) => ({ ...fault, path: field ?? fault.path }));
  const others = found.filter(({ field }) => field === undefined);
  const spelled = others.map(({ path, message }) => `${path}: ${message}`).join(" ");
  const general = others.length === found.length ? error.message : "";
  const said = error.code === "validation_failed" ? spelled : general;
  return { name, values, faults, banner: said === "" ? null : said, details: error.details };
}
