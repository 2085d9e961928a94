import { createContext, useContext } from "hono/jsx";
import * as z from "zod";
import { parseRow } from "../../../http/request/validate.ts";
import { AppError, type Fault, invalid } from "../../../shared/errors.ts";
import { isReserved, RESERVED_NAME } from "../../../shared/security/own.ts";
import { readFaults } from "./faults.ts";
import { type FormOrigin, type Conflict, conflictOf, takeHiddenFields } from "./saving.ts";

export const TOKEN_FIELD = "csrf_token";

/** A map instead of an object, because the sender chooses the names and could use those of an object's prototype. */
export type SentValues = ReadonlyMap<string, readonly string[]>;

/** The longest field name has this many parts: `filter.conditions.0.conditions.0.value`. */
const MAX_PARTS = 6;

export interface FormState {
  name: string;
  values: SentValues;
  faults: Fault[];
  banner: string | null;
  details: unknown;
  conflict: Conflict | null;
  /** The hidden fields of the submitted form, which it must contain again if it is rendered again. */
  origin: FormOrigin | null;
}

export const unsentForm: FormState = {
  name: "",
  values: new Map(),
  faults: [],
  banner: null,
  details: null,
  conflict: null,
  origin: null,
};

const formStateContext = createContext(unsentForm);
export const FormStateProvider = formStateContext.Provider;

export const useFormState = (): FormState => useContext(formStateContext);

/** A submitted form. Empty fields are treated as missing. */
export class SentForm {
  readonly origin: FormOrigin;

  /** Throws `validation_failed` if the name of a field is reserved or has too many parts. */
  constructor(private readonly sent: Map<string, string[]>) {
    this.origin = takeHiddenFields(sent);
    const faults = [...sent.keys()].flatMap((name) => checkFieldName(name) ?? []);
    if (faults.length > 0) throw invalid(faults);
  }

  asRendered(): SentForm {
    return new SentForm(
      new Map(Array.from(this.origin.before, ([name, values]) => [name, values.length === 0 ? [""] : [...values]])),
    );
  }

  get values(): SentValues {
    return this.sent;
  }

  takeToken(): string | undefined {
    const token = this.text(TOKEN_FIELD);
    this.sent.delete(TOKEN_FIELD);
    return token;
  }

  text(name: string): string | undefined {
    const value = this.sent.get(name)?.[0];
    return value === undefined || value === "" ? undefined : value;
  }

  /** For updates, in which null clears the stored value. Returns null for an empty field. */
  textOrNull(name: string): string | null {
    return this.text(name) ?? null;
  }

  number(name: string): number | string | undefined {
    const value = this.text(name)?.trim();
    return value === undefined || Number.isNaN(Number(value)) ? value : Number(value);
  }

  all(name: string): string[] {
    return (this.sent.get(name) ?? []).filter((value) => value !== "");
  }

  /** Also true if a field of a group exists: `config` is contained if the form has `config.session`. */
  contains(name: string): boolean {
    return this.sent.has(name) || this.sent.keys().some((each) => each.startsWith(`${name}.`));
  }

  textsIn(prefix: string): Record<string, string> {
    const filled = [...this.sent.keys()].flatMap((name) => {
      const text = name.startsWith(prefix) ? this.text(name) : undefined;
      return text === undefined ? [] : [[name.slice(prefix.length), text] as const];
    });
    return Object.fromEntries(filled);
  }
}

function checkFieldName(name: string): Fault | null {
  const parts = name.split(".");
  if (parts.some(isReserved)) return { path: name, code: "unknown_field", message: RESERVED_NAME };
  if (parts.length <= MAX_PARTS) return null;
  return { path: name, code: "too_deep", message: `A name has at most ${MAX_PARTS} parts.` };
}

/** For pages that must first load data to parse the form, such as the custom fields. */
export const unparsedForm = { body: z.instanceof(SentForm), read: (form: SentForm) => form };

export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const row = parseRow(schema, value);
  if (row.faults !== null) throw invalid(row.faults);
  return row.data;
}

const findField = (path: string, names: string[]): string | undefined =>
  names.find((name) => name === path) ??
  names.find((name) => path.startsWith(`${name}.`) || name.startsWith(`${path}.`));

export function refusedForm({ values, origin }: SentForm, error: AppError): FormState {
  if (error.code === "precondition_failed") return conflictingForm(values, conflictOf(values, origin.before));
  const names = [...values.keys()];
  const found = readFaults(error).map((fault) => ({ ...fault, field: findField(fault.path, names) }));
  const faults = found.map(({ field, ...fault }) => ({ ...fault, path: field ?? fault.path }));
  const others = found.filter(({ field }) => field === undefined);
  const otherFaults = others.map(({ path, message }) => `${path}: ${message}`).join(" ");
  const message = others.length === found.length ? error.message : "";
  const banner = error.code === "validation_failed" ? otherFaults : message;
  const { details } = error;
  return { name: "", values, faults, banner: banner === "" ? null : banner, details, conflict: null, origin };
}

const CHANGED_MEANWHILE =
  "Someone else changed this while you were editing. Your changes are kept: check the marked fields, then save again.";

/** Shown if the form is only a button, because it then has no fields to mark. */
const CHANGED_BEFORE =
  "Someone else changed this since you opened the page, so nothing was done. Review it, then try again.";

/**
 * The form that the user sees after a conflict. Fields that the user changed keep the submitted value, and all
 * others show the stored one.
 */
function conflictingForm(values: SentValues, conflict: Conflict): FormState {
  const own = new Map([...values].filter(([field]) => conflict.own.has(field) || !conflict.before.has(field)));
  const banner = values.size === 0 ? CHANGED_BEFORE : CHANGED_MEANWHILE;
  return { ...unsentForm, values: own, banner, conflict };
}

export const chosenValues = (
  name: string,
  { values, conflict }: FormState,
  stored: readonly string[],
): readonly string[] =>
  values.get(name)?.filter((value) => value !== "") ??
  (values.size === 0 || (conflict !== null && !conflict.own.has(name)) ? stored : []);

export const isTicked = (values: SentValues, name: string): boolean => values.get(name)?.includes("true") ?? false;
