// How the cells of a file are read: what a person may say of it.
import type { Child } from "hono/jsx";
import { phoneCountries } from "../../../shared/phone.ts";
import type { Option } from "../../kit/form-fields.tsx";
import { countryName } from "../contacts/contact-fields.tsx";
import { unguard } from "../contacts/contact-csv.ts";
import { CUSTOM } from "./import-columns.ts";
import { type DateGuess, guessDateOrder } from "./import-dates.ts";
import type { Plan } from "./import-plan.ts";

interface ChoiceProps {
  name: string;
  label: string;
  help?: Child;
  chosen: string;
  options: readonly Option[];
}

/** A choice that the page's script sends on. */
export const Choice = ({ name, label, help, chosen, options }: ChoiceProps) => (
  <div class="field narrow">
    <label for={`import-${name}`}>{label}</label>
    {help !== undefined && (
      <p class="help" id={`import-${name}-help`}>
        {help}
      </p>
    )}
    <select id={`import-${name}`} name={name} aria-describedby={help === undefined ? undefined : `import-${name}-help`}>
      {options.map(({ value, label: shown }) => (
        <option value={value} selected={value === chosen}>
          {shown}
        </option>
      ))}
    </select>
  </div>
);

const countries = () =>
  phoneCountries()
    .map((code): Option => ({ value: code, label: countryName(code) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, "en"));

const isDate = ({ type }: Plan["fields"][number]) => type === "date" || type === "datetime";

/** What the cells for dates say of their order. */
export function datesIn(rows: readonly string[][], { mapping, fields }: Plan): DateGuess {
  const places = new Set(fields.filter(isDate).map(({ field_key: key }) => CUSTOM + key));
  const columns = mapping.flatMap((target, at) => (places.has(target) ? [at] : []));
  return guessDateOrder(rows.flatMap((row) => columns.map((at) => unguard((row[at] ?? "").trim()))));
}

/** `chosen` is the order of dates that a person gave, or null. */
export const Reading = ({ plan, chosen }: { plan: Plan; chosen: Plan["date_order"] }) => (
  <>
    <Choice
      name="country"
      label="Numbers without a country code are from"
      chosen={plan.country}
      options={[{ value: "", label: "Every number has its country code" }, ...countries()]}
    />
    {plan.fields.some(isDate) && (
      <Choice
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
    <Choice
      name="misfits"
      label="When a cell cannot be read"
      chosen={plan.misfits}
      options={[
        { value: "refuse_row", label: "Refuse its row" },
        { value: "leave_out", label: "Leave the cell out and take the rest of the row" },
      ]}
    />
  </>
);
