// Converts a form to a request body. The name of a field is its path in the body, such as `config.session`.
import * as z from "zod";
import { parseJsonOrNull } from "../../../shared/text/json.ts";
import type { SentForm } from "./forms.ts";

interface FieldKind {
  schema: z.core.$ZodType;
  isNullable: boolean;
  isOptional: boolean;
}

function kindOf(schema: z.core.$ZodType): FieldKind {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return { ...kindOf(schema.unwrap()), isOptional: true };
  if (schema instanceof z.ZodNullable) return { ...kindOf(schema.unwrap()), isNullable: true };
  if (schema instanceof z.ZodPipe) return kindOf(schema.in);
  return { schema, isNullable: false, isOptional: false };
}

const isEmpty = (group: object): boolean => Object.values(group).every((value) => value === null);

/**
 * In an update, an empty field becomes null, which clears the stored value. A field that the form does not
 * contain is left out, which keeps it.
 */
function readField(form: SentForm, name: string, field: z.core.$ZodType, isPartial: boolean): unknown {
  const { schema, isNullable, isOptional } = kindOf(field);
  const isRequired = !isNullable && !isOptional;
  // The API requires `config` even for a provider without settings. The form then has no fields for it.
  if (!form.contains(name)) return isRequired && schema instanceof z.ZodRecord ? {} : undefined;
  const orNone = (group: object) => (isNullable ? null : isOptional && !isPartial ? undefined : group);
  if (schema instanceof z.ZodObject || schema instanceof z.ZodRecord) {
    const group = schema instanceof z.ZodObject ? readObject(form, schema, `${name}.`) : form.textsIn(`${name}.`);
    return isEmpty(group) ? orNone(group) : group;
  }
  if (schema instanceof z.ZodArray) return form.all(name).length === 0 ? orNone([]) : form.all(name);
  if (schema instanceof z.ZodBoolean) return form.all(name).includes("true");
  const value = schema instanceof z.ZodNumber ? form.number(name) : form.text(name);
  return value ?? (isNullable ? null : isPartial ? "" : undefined);
}

function readObject(form: SentForm, { shape }: z.ZodObject, at: string, isPartial = false): Record<string, unknown> {
  const fields = Object.entries(shape).map(
    ([name, field]) => [name, readField(form, at + name, field, isPartial)] as const,
  );
  return definedFields(Object.fromEntries(fields));
}

export function formBody(body: z.ZodType, form: SentForm, isPartial = false): Record<string, unknown> {
  const { schema } = kindOf(body);
  if (!(schema instanceof z.ZodObject)) throw new Error("The body of a form must be an object.");
  const filled = Object.entries(form.textsIn(""));
  const unknown = filled.filter(([name]) => !Object.hasOwn(schema.shape, name.replace(/\..*/s, "")));
  return { ...Object.fromEntries(unknown), ...readObject(form, schema, "", isPartial) };
}

type FieldText = [name: string, text: string];

function fieldsOfValue(name: string, value: unknown): FieldText[] {
  if (value === undefined) return [];
  if (value === null || value === false) return [[name, ""]];
  if (typeof value === "string") return [[name, value]];
  if (typeof value !== "object") return [[name, JSON.stringify(value)]];
  const fields: FieldText[] = Array.isArray(value)
    ? value.flatMap((each) => fieldsOfValue(name, each))
    : formFields(value, `${name}.`);
  return fields.length === 0 ? [[name, ""]] : fields;
}

export const formFields = (body: object, at = ""): FieldText[] =>
  Object.entries(body).flatMap(([name, value]) => fieldsOfValue(at + name, value));

export const definedFields = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

export const jsonField = z.string().transform(parseJsonOrNull);
