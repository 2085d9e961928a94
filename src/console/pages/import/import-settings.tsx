import type { Child } from "hono/jsx";
import { phoneCountries } from "../../../shared/text/phone.ts";
import { Options, type Option } from "../../kit/forms/form-fields.tsx";
import { countryName } from "../contacts/contact-fields.tsx";
import { unguardCell } from "../../../shared/text/csv.ts";
import { CUSTOM_FIELD_PREFIX } from "./import-columns.ts";
import { type DateGuess, guessDateOrder } from "./import-dates.ts";
import type { ImportPlan } from "./import-plan.ts";

interface ChoiceProps {
  name: string;
  label: string;
  help?: Child;
  chosen: string;
  options: readonly Option[];
}

/** A select that the page's script submits. */
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

/** Guesses the date order from date columns. */
export function inspectDates(rows: readonly string[][], { mapping, fields }: ImportPlan): DateGuess {
  const places = new Set(fields.filter(isDate).map(({ field_key: key }) => CUSTOM_FIELD_PREFIX + key));
  const columns = mapping.flatMap((target, at) => (places.has(target) ? [at] : []));
  return guessDateOrder(rows.flatMap((row) => columns.map((at) => unguardCell((row[at] ?? "").trim()))));
}

/** `chosen` is the user's date order, or null. */
export const ReadingSettings = ({ plan, chosen }: { plan: ImportPlan; chosen: ImportPlan["date_order"] }) => (
  <>
    <ImportSelect
      name="country"
      label="Country of numbers without a code"
      chosen={plan.country}
      options={[{ value: "", label: "All numbers have a country code" }, ...countries()]}
    />
    {plan.fields.some(isDate) && (
      <ImportSelect
        name="date_order"
        label="Dates such as 05/06/2026 are"
        chosen={chosen ?? ""}
        options={[
          { value: "", label: "As the file shows" },
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
        { value: "leave_out", label: "Leave the cell out and import the rest of the row" },
      ]}
    />
  </>
);
