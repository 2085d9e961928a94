import * as z from "zod";
import type { CustomFieldRecord } from "../../../features/custom-fields/custom-fields.schemas.ts";
import type { FieldDefinition } from "../../../features/custom-fields/custom-fields.values.ts";
import { phoneCountries } from "../../../shared/text/phone.ts";
import { dateOrders, type DateGuess, guessDateOrder } from "./import-dates.ts";
import type { Child } from "hono/jsx";
import { Options, type Option } from "../../kit/forms/form-fields.tsx";
import { countryName } from "../contacts/contact-fields.tsx";
import { unguardCell } from "../../../shared/text/csv.ts";
import { CUSTOM_FIELD_PREFIX } from "./import-columns.ts";

const MAX_COLUMNS = 200;

const fileRow = z.array(z.string()).max(MAX_COLUMNS);

const perColumn = <T extends z.ZodType>(entry: T) => z.array(entry).max(MAX_COLUMNS);

const misfits = z.enum(["refuse_row", "leave_out"]);

const shared = {
  tag: z.string().trim().max(60),
  country: z.union([z.literal(""), z.enum(phoneCountries())]).default(""),
  misfits: misfits.default("refuse_row"),
};

export const delimiters = [
  { value: ",", label: "Commas" },
  { value: ";", label: "Semicolons" },
  { value: "\t", label: "Tabs" },
  { value: "|", label: "Vertical bars" },
] as const;

/** A setting is null if the user has not chosen it. The server then guesses it. */
export const previewBody = z.strictObject({
  rows: z.array(fileRow).min(1).max(100),
  delimiter: z.enum(delimiters.map(({ value }) => value)).default(","),
  has_heads: z.boolean().nullable(),
  mapping: perColumn(z.string().nullable()).nullable(),
  date_order: z.enum(dateOrders).nullable().default(null),
  ...shared,
});

export const rowsBody = z.strictObject({
  rows: z.array(fileRow).min(1).max(500),
  mapping: perColumn(z.string()),
  date_order: z.enum(dateOrders).nullable().default(null),
  ...shared,
});

type Settings = Omit<z.output<typeof rowsBody>, "rows">;

export interface ImportPlan extends Settings {
  fields: readonly CustomFieldRecord[];
  definitions: readonly FieldDefinition[];
}

export const createImportPlan = (settings: Settings, fields: readonly CustomFieldRecord[]): ImportPlan => ({
  ...settings,
  fields,
  definitions: fields.map(({ field_key: key, removed_options: removed, ...field }) => ({ ...field, key, removed })),
});

export interface ImportCell {
  target: string;
  text: string;
  /** The value of the cell. An invalid text is not converted, so that the schema rejects it. */
  value: unknown;
}

interface ChoiceProps {
  name: string;
  label: string;
  help?: Child;
  chosen: string;
  options: readonly Option[];
}

export const ImportSelect = ({ name, label, help, chosen, options }: ChoiceProps) => (
  <div class="field narrow">
    <label for={`import-${name}`}>{label}</label>
    {help !== undefined && (
      <p class="help" id={`import-${name}-help`}>
        {help}
      </p>
    )}
    <select id={`import-${name}`} name={name} aria-describedby={help === undefined ? undefined : `import-${name}-help`}>
      <Options options={options} chosen={chosen} />
    </select>
  </div>
);

const countries = () =>
  phoneCountries()
    .map((code): Option => ({ value: code, label: countryName(code) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, "en"));

const isDate = ({ type }: ImportPlan["fields"][number]) => type === "date" || type === "datetime";

export function inspectDates(rows: readonly string[][], { mapping, fields }: ImportPlan): DateGuess {
  const targets = new Set(fields.filter(isDate).map(({ field_key: key }) => CUSTOM_FIELD_PREFIX + key));
  const columns = mapping.flatMap((target, at) => (targets.has(target) ? [at] : []));
  return guessDateOrder(rows.flatMap((row) => columns.map((at) => unguardCell((row[at] ?? "").trim()))));
}

export const ReadingSettings = ({ plan, chosen }: { plan: ImportPlan; chosen: ImportPlan["date_order"] }) => (
  <>
    <ImportSelect
      name="country"
      label="Country for numbers without a country code"
      chosen={plan.country}
      options={[{ value: "", label: "All numbers have a country code" }, ...countries()]}
    />
    {plan.fields.some(isDate) && (
      <ImportSelect
        name="date_order"
        label="Dates such as 05/06/2026 are"
        chosen={chosen ?? ""}
        options={[
          { value: "", label: "Detect from the file" },
          { value: "day_first", label: "5 June 2026 (the day first)" },
          { value: "month_first", label: "6 May 2026 (the month first)" },
        ]}
      />
    )}
    <ImportSelect
      name="misfits"
      label="If a cell is invalid"
      chosen={plan.misfits}
      options={[
        { value: "refuse_row", label: "Skip the row" },
        { value: "leave_out", label: "Skip the cell and import the rest of the row" },
      ]}
    />
  </>
);
