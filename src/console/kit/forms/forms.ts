import { createContext, useContext } from "hono/jsx";
import * as z from "zod";
import { parseRow } from "../../../http/request/validate.ts";
import { AppError, type Fault, invalid } from "../../../shared/errors.ts";
import { isReserved, RESERVED_NAME } from "../../../shared/security/own.ts";
import { readFaults } from "./faults.ts";
import { type FormOrigin, type Conflict, conflictOf, takeHiddenFields } from "./saving.ts";

/** The hidden field with the CSRF token. */
export const TOKEN_FIELD = "csrf_token";

/** The values of each field by name. A map, since the sender chooses the names. */
export type SentValues = ReadonlyMap<string, readonly string[]>;

/** The depth of `filter.conditions.0.conditions.0.value`, the longest field name. */
const MAX_PARTS = 6;

/** Submitted values and their faults. `name` prefixes the field IDs if a page has several forms. */
export interface FormState {
  name: string;
  values: SentValues;
  faults: Fault[];
  /** An error without a field. */
  banner: string | null;
  /** Error details, such as a conflict's `contact_id`. */
  details: unknown;
  /** Set if another user changed the record after the form was rendered. */
  conflict: Conflict | null;
  /** Set if the form is rendered again: its hidden fields keep their original values. */
  origin: FormOrigin | null;
}

/** The state of a form before submission. */
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

/** The state of the surrounding form. */
export const useFormState = (): FormState => useContext(formStateContext);

/** A submitted form. Empty fields count as absent. */
export class SentForm {
  readonly origin: FormOrigin;

  /** Throws `validation_failed` for names that no console form has. */
  constructor(private readonly sent: Map<string, string[]>) {
    this.origin = takeHiddenFields(sent);
    const faults = [...sent.keys()].flatMap((name) => checkFieldName(name) ?? []);
    if (faults.length > 0) throw invalid(faults);
  }

  /** The form before anyone filled it in. */
  asMade(): SentForm {
    const filled = [...this.origin.before].filter(([, values]) => values.length > 0);
    return new SentForm(new Map(filled.map(([name, values]) => [name, [...values]])));
  }

  get values(): SentValues {
    return this.sent;
  }

  takeToken(): string | undefined {
    const token = this.text(TOKEN_FIELD);
    this.sent.delete(TOKEN_FIELD);
    return token;
  }

  /** As typed; undefined if empty. */
  text(name: string): string | undefined {
    const value = this.sent.get(name)?.[0];
    return value === undefined || value === "" ? undefined : value;
  }

  /** For updates, where an empty field clears the value: null. */
  textOrNull(name: string): string | null {
    return this.text(name) ?? null;
  }

  /** Text that is not a number stays text, so that the schema rejects it. */
  number(name: string): number | string | undefined {
    const value = this.text(name)?.trim();
    return value === undefined || Number.isNaN(Number(value)) ? value : Number(value);
  }

  /** True if the check box is ticked. */
  checked(name: string): boolean {
    return (this.sent.get(name) ?? []).length > 0;
  }

  all(name: string): string[] {
    return (this.sent.get(name) ?? []).filter((value) => value !== "");
  }

  /** All filled fields as text. `config.session` becomes `session` within `config`. */
  body(): Record<string, unknown> {
    const filled = [...this.sent.keys()].flatMap((name) => {
      const value = this.text(name);
      return value === undefined ? [] : [{ path: name.split("."), value }];
    });
    return nestFields(filled);
  }
}

function checkFieldName(name: string): Fault | null {
  const parts = name.split(".");
  if (parts.some(isReserved)) return { path: name, code: "unknown_field", message: RESERVED_NAME };
  if (parts.length <= MAX_PARTS) return null;
  return { path: name, code: "too_deep", message: `A name has at most ${MAX_PARTS} parts.` };
}

interface Field {
  path: string[];
  value: string;
}

/** Groups fields with a common prefix into an object. Drops a field that has the group's name. */
function nestFields(fields: Field[]): Record<string, unknown> {
  const byFirst = Map.groupBy(fields, ({ path: [first = ""] }) => first);
  const entries = Array.from(byFirst, ([name, group]) => {
    const inner = group.flatMap(({ path: [, ...rest], value }) => (rest.length === 0 ? [] : [{ path: rest, value }]));
    return [name, inner.length === 0 ? group[0]?.value : nestFields(inner)] as const;
  });
  return Object.fromEntries(entries);
}

/** For pages that parse the form themselves, after they load data that the fields depend on. */
export const unparsedForm = { body: z.instanceof(SentForm), read: (form: SentForm) => form };

/** Parses with an API schema. Throws `validation_failed`. */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const row = parseRow(schema, value);
  if (row.faults !== null) throw invalid(row.faults);
  return row.data;
}

/** The field for a fault: the same path, a parent or a child. */
const findField = (path: string, names: string[]): string | undefined =>
  names.find((name) => name === path) ??
  names.find((name) => path.startsWith(`${name}.`) || name.startsWith(`${path}.`));

/** The state that renders a rejected form again. */
export function refusedForm({ values, origin }: SentForm, error: AppError): FormState {
  if (error.code === "precondition_failed") return conflictingForm(values, conflictOf(values, origin.before));
  const names = [...values.keys()];
  const found = readFaults(error).map((fault) => ({ ...fault, field: findField(fault.path, names) }));
  // A submission omits empty lists.
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

/** For a button, which has no fields. */
const CHANGED_BEFORE =
  "Someone else changed this since you opened the page, so nothing was done. Review it, then try again.";

/** The form after a conflict. Fields that the user left alone show their current values. */
function conflictingForm(values: SentValues, conflict: Conflict): FormState {
  const own = new Map([...values].filter(([field]) => conflict.own.has(field) || !conflict.before.has(field)));
  const banner = values.size === 0 ? CHANGED_BEFORE : CHANGED_MEANWHILE;
  return { ...unsentForm, values: own, banner, conflict };
}

/** The values of a multi-value field: as submitted, otherwise as stored. */
export const chosenValues = (
  name: string,
  { values, conflict }: FormState,
  stored: readonly string[],
): readonly string[] =>
  values.get(name) ?? (values.size === 0 || (conflict !== null && !conflict.own.has(name)) ? stored : []);
