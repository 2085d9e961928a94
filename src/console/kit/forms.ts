import type { z } from "zod";
import { parseRow } from "../../http/validate.ts";
import { AppError, type Fault, invalid } from "../../shared/errors.ts";
import { isReserved, RESERVED_NAME } from "../../shared/own.ts";
import { faultList } from "./faults.ts";

/** The hidden field that shows that a form comes from a page of ours. */
export const TOKEN_FIELD = "csrf_token";

/** Every field's values by its name: names are the sender's, so this is no plain object. */
export type SentValues = ReadonlyMap<string, readonly string[]>;

/** `config.session` has two parts; no form of ours has a field of more than `filter.conditions.0.conditions.0.value`. */
const MAX_PARTS = 6;

/** What a form was sent with and what was wrong with it. `name` says which form, where a page has several. */
export interface FormState {
  name: string;
  values: SentValues;
  faults: Fault[];
  /** What is wrong with none of its fields in particular. */
  banner: string | null;
  /** What the error adds to its message: a conflict's `contact_id`, say. */
  details: unknown;
}

/** A form that has not been sent. */
export const untouched: FormState = { name: "", values: new Map(), faults: [], banner: null, details: null };

/** The state of one of the forms of a page. */
export const stateOf = (state: FormState, name: string): FormState => (state.name === name ? state : untouched);

/** What a browser sent of a form. Empty fields count as left out. */
export class SentForm {
  /** Throws `validation_failed` for names that no form of ours has. */
  constructor(private readonly sent: Map<string, string[]>) {
    const faults = [...sent.keys()].flatMap((name) => faultOfName(name) ?? []);
    if (faults.length > 0) throw invalid(faults);
  }

  get values(): SentValues {
    return this.sent;
  }

  /** The token of the page it is on, which is no field of its own. */
  takeToken(): string | undefined {
    const token = this.text(TOKEN_FIELD);
    this.sent.delete(TOKEN_FIELD);
    return token;
  }

  /** As typed, or undefined where it is empty. */
  text(name: string): string | undefined {
    const value = this.sent.get(name)?.[0];
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
    return this.sent.has(name);
  }

  /** Of check boxes or selects of one name. */
  all(name: string): string[] {
    return (this.sent.get(name) ?? []).filter((value) => value !== "");
  }

  /** Every field that is not empty as text; `config.session` becomes `session` within `config`. */
  body(): Record<string, unknown> {
    const filled = [...this.sent.keys()].flatMap((name) => {
      const value = this.text(name);
      return value === undefined ? [] : [{ path: name.split("."), value }];
    });
    return nested(filled);
  }
}

function faultOfName(name: string): Fault | null {
  const parts = name.split(".");
  if (parts.some(isReserved)) return { path: name, code: "unknown_field", message: RESERVED_NAME };
  if (parts.length <= MAX_PARTS) return null;
  return { path: name, code: "too_deep", message: `A name has at most ${MAX_PARTS} parts.` };
}

interface Field {
  path: string[];
  value: string;
}

/** Fields with a common first part become an object, made of its own properties only. A field of that very name gives way. */
function nested(fields: Field[]): Record<string, unknown> {
  const byFirst = Map.groupBy(fields, ({ path: [first = ""] }) => first);
  const entries = Array.from(byFirst, ([name, group]) => {
    const inner = group.flatMap(({ path: [, ...rest], value }) => (rest.length === 0 ? [] : [{ path: rest, value }]));
    return [name, inner.length === 0 ? group[0]?.value : nested(inner)] as const;
  });
  return Object.fromEntries(entries);
}

/** Judges with the schema of the API. Throws `validation_failed`. */
export function judge<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const row = parseRow(schema, value);
  if (row.faults !== null) throw invalid(row.faults);
  return row.data;
}

/** The field that a fault is shown beside: the one it names, is within, or is the first part of. */
const fieldOf = (path: string, names: string[]): string | undefined =>
  names.find((name) => name === path) ??
  names.find((name) => path.startsWith(`${name}.`) || name.startsWith(`${path}.`));

/** How a refused form is shown again; passwords are typed again. */
export function refusedForm(name: string, values: FormState["values"], error: AppError): FormState {
  const names = [...values.keys()];
  const found = faultList(error).map((fault) => ({ ...fault, field: fieldOf(fault.path, names) }));
  // What was not sent may be a field all the same: lists of which nothing is chosen are not.
  const faults = found.map(({ field, ...fault }) => ({ ...fault, path: field ?? fault.path }));
  const others = found.filter(({ field }) => field === undefined);
  const spelled = others.map(({ path, message }) => `${path}: ${message}`).join(" ");
  const general = others.length === found.length ? error.message : "";
  const said = error.code === "validation_failed" ? spelled : general;
  return { name, values, faults, banner: said === "" ? null : said, details: error.details };
}
