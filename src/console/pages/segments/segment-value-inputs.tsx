import type { Child } from "hono/jsx";
import { listsValues } from "../../../features/segments/segments.reading.ts";
import type { FieldKind, FilterOp } from "../../../features/segments/segments.fields.ts";
import { type FormState, useFormState } from "../../kit/forms/forms.ts";
import { countryOptions } from "../contacts/contact-fields.tsx";
import type { KnownField } from "./segment-fields.tsx";
import { Options } from "../../kit/forms/form-fields.tsx";

const idOf = (path: string) => path.replaceAll(".", "-");

const faultAt = ({ faults }: FormState, path: string) =>
  faults.find((fault) => fault.path === path || fault.path.startsWith(`${path}.`))?.message;

export const FaultText = ({ path }: { path: string }) => {
  const state = useFormState();
  const message = faultAt(state, path);
  return message === undefined ? null : (
    <p class="fault" id={`${idOf(path)}-fault`}>
      {message}
    </p>
  );
};

interface Option {
  value: string;
  label: string;
}

export const ConditionSelect = ({
  path,
  label,
  chosen,
  options,
  isLive = false,
  hasFocus = false,
}: {
  path: string;
  label: string;
  chosen: string;
  options: readonly Option[];
  isLive?: boolean;
  hasFocus?: boolean;
}) => {
  const state = useFormState();
  return (
    <select
      id={idOf(path)}
      name={path}
      aria-label={label}
      aria-invalid={faultAt(state, path) === undefined ? undefined : "true"}
      data-refresh={isLive ? "" : undefined}
      autofocus={hasFocus}
    >
      <Options options={options} chosen={chosen} />
    </select>
  );
};

const CHOOSE = { value: "", label: "Choose …" };
const YES_NO = [CHOOSE, { value: "true", label: "Yes" }, { value: "false", label: "No" }];

const isDay = (text: string) => text === "" || /^\d{4}-\d{2}-\d{2}$/.test(text);

/** A value with a time of day gets a text input, because a date input cannot hold the time. */
const inputType = (kind: FieldKind, text: string) =>
  (kind === "date" || kind === "datetime") && isDay(text) ? "date" : "text";

interface ValueProps {
  path: string;
  label: string;
  values: readonly string[];
}

const Input = ({ path, label, values, kind, at = 0 }: ValueProps & { kind: FieldKind; at?: number }) => {
  const state = useFormState();
  return (
    <input
      id={at === 0 ? idOf(path) : `${idOf(path)}-${at}`}
      name={path}
      type={inputType(kind, values[at] ?? "")}
      inputmode={kind === "number" ? "decimal" : undefined}
      value={values[at] ?? ""}
      aria-label={label}
      aria-invalid={faultAt(state, path) === undefined ? undefined : "true"}
      autocomplete="off"
    />
  );
};

/** The list also contains selected values that no longer exist, so that the user can deselect them. */
const Many = ({
  path,
  label,
  values,
  options,
  labelOf,
}: ValueProps & { options: readonly string[]; labelOf(option: string): string }) => (
  <fieldset class="scroll" id={idOf(path)}>
    <legend class="unseen">{label}</legend>
    {[...new Set([...options, ...values])].map((option) => (
      <label class="choice">
        <input type="checkbox" name={path} value={option} checked={values.includes(option)} />
        <span>{labelOf(option)}</span>
      </label>
    ))}
  </fieldset>
);

const Days = ({ path, label, values }: ValueProps) => (
  <span class="days">
    <Input path={path} label={label} values={values} kind="number" />
    <span class="help">days</span>
  </span>
);

function listOf(field: KnownField, props: ValueProps, tags: readonly string[]): Child {
  const options = field.kind === "tags" ? tags : field.options;
  if (field.kind === "tags" && options.length === 0 && props.values.length === 0)
    return <p class="help">No tags yet. Add tags to contacts first.</p>;
  if (field.kind === "tags") return <Many {...props} options={options} labelOf={(name) => name} />;
  if (field.options.length > 0) return <Many {...props} options={options} labelOf={field.optionLabel} />;
  return (
    <>
      <textarea
        id={idOf(props.path)}
        name={props.path}
        rows={3}
        aria-label={props.label}
        aria-describedby={`${idOf(props.path)}-help`}
      >
        {props.values.join("\n")}
      </textarea>
      <p class="help" id={`${idOf(props.path)}-help`}>
        One per line.
      </p>
    </>
  );
}

export function valueInput(field: KnownField, op: FilterOp, props: ValueProps, tags: readonly string[]): Child {
  const { kind, options } = field;
  const [chosen = ""] = props.values;
  if (op === "is_set" || op === "is_not_set") return null;
  if (op === "within_days") return <Days {...props} />;
  if (op === "between")
    return (
      <span class="days">
        <Input {...props} label={`${props.label}: from`} kind={kind} />
        <span class="help">and</span>
        <Input {...props} label={`${props.label}: to`} kind={kind} at={1} />
      </span>
    );
  if (listsValues(op)) return listOf(field, props, tags);
  if (kind === "boolean") return <ConditionSelect {...props} chosen={chosen} options={YES_NO} />;
  if (kind === "country") return <ConditionSelect {...props} chosen={chosen} options={[CHOOSE, ...countryOptions()]} />;
  if (kind !== "choice") return <Input {...props} kind={kind} />;
  const known = [...new Set([...options, ...(chosen === "" ? [] : [chosen])])];
  return (
    <ConditionSelect
      {...props}
      chosen={chosen}
      options={[CHOOSE, ...known.map((value) => ({ value, label: field.optionLabel(value) }))]}
    />
  );
}
