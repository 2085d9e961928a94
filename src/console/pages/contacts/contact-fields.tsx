import { iso31661Alpha2ToAlpha3 } from "iso-3166";
import type { CustomFieldRecord } from "../../../features/custom-fields/custom-fields.schemas.ts";
import { formatValue } from "../../kit/format.ts";
import { SelectField, TextArea, TextField } from "../../kit/forms/form-fields.tsx";
import { ManyField } from "../../kit/forms/choice-fields.tsx";
import type { SentForm } from "../../kit/forms/forms.ts";
import { parsePhoneIn } from "../../../shared/text/phone.ts";

const names = new Intl.DisplayNames("en", { type: "region" });

export const countryName = (code: string): string => names.of(code) ?? code;

interface Choice {
  value: string;
  label: string;
}

export const countryOptions = (): Choice[] =>
  Object.keys(iso31661Alpha2ToAlpha3)
    .map((code) => ({ value: code, label: countryName(code) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, "en"));

const YES_NO: readonly Choice[] = [
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
];

/** Removes the Z at the end, because a browser's input for times does not accept a time zone. */
const localTime = (value: string) => value.replace(/Z$/, "");

function formatForInput({ type }: CustomFieldRecord, value: unknown): string {
  const text = formatValue(value);
  return type === "datetime" ? localTime(text) : text;
}

export const toOptions = (values: readonly string[]): Choice[] => values.map((value) => ({ value, label: value }));

const inputTypes = { url: "url", email: "email", phone: "tel", date: "date", datetime: "datetime-local" } as const;

interface CustomFieldProps {
  field: CustomFieldRecord;
  value: unknown;
  none?: string;
}

export function CustomField({ field, value, none = "Not set" }: CustomFieldProps) {
  const choose = (choices: readonly Choice[]) => [{ value: "", label: none }, ...choices];
  const { field_key: key, label, type, options } = field;
  const common = { name: `custom_fields.${key}`, label, value: formatForInput(field, value) };
  switch (type) {
    case "text":
      return <TextArea {...common} rows={2} />;
    case "number":
      return <TextField {...common} inputmode="decimal" />;
    case "boolean":
      return <SelectField {...common} options={choose(YES_NO)} />;
    case "select":
      return <SelectField {...common} options={choose(toOptions(options))} />;
    case "multi_select":
      return (
        <ManyField
          name={common.name}
          label={label}
          options={toOptions(options)}
          chosen={Array.isArray(value) ? value.map(formatValue) : []}
          box="scroll"
        />
      );
    case "country":
      return <SelectField {...common} options={choose(countryOptions())} />;
    case "datetime":
      return <TextField {...common} type="datetime-local" help="In UTC." />;
    case "phone":
      return (
        <TextField {...common} type="tel" help="Include the country code: +49 30 901820 for 030 901820 in Germany." />
      );
    case "date":
    case "url":
    case "email":
      return <TextField {...common} type={inputTypes[type]} />;
  }
}

const toIsoTime = (text: string) => (Number.isNaN(Date.parse(`${text}Z`)) ? text : new Date(`${text}Z`).toISOString());

/**
 * Accepts a number with slashes, because people type them. Returns an invalid number as it is, so that the
 * schema rejects it with a message.
 */
export const readTypedPhone = (text: string): string => parsePhoneIn(null, text) ?? text;

export function readCustomField(form: SentForm, { field_key: key, type }: CustomFieldRecord): unknown {
  const name = `custom_fields.${key}`;
  const text = form.textOrNull(name);
  switch (type) {
    case "number":
      return form.number(name) ?? null;
    case "boolean":
      return text === null ? null : text === "true";
    case "multi_select":
      return form.all(name);
    case "datetime":
      return text === null ? null : toIsoTime(text);
    case "text":
    case "date":
    case "select":
    case "country":
    case "url":
    case "email":
      return text;
    case "phone":
      return text === null ? null : readTypedPhone(text);
  }
}
