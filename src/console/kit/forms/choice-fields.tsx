// Browsers submit nothing for check boxes that are not checked. Each group therefore has an empty hidden field,
// so that the server can distinguish a group without checked boxes from one that was not on the page.
import type { FC, PropsWithChildren } from "hono/jsx";
import { ChangeByOthers } from "./changes.tsx";
import { chosenValues, useFormState } from "./forms.ts";
import {
  controlId,
  faultMessage,
  FieldFault,
  type FieldProps,
  FieldHelp,
  labelIn,
  listOf,
  type Option,
  sentValue,
  Options,
} from "./form-fields.tsx";

export const CheckField: FC<Omit<FieldProps, "value" | "required"> & { checked?: boolean }> = ({
  checked = false,
  ...props
}) => {
  const { name, label, help } = props;
  const state = useFormState();
  const id = controlId(name, state);
  const now = checked ? ["true"] : [];
  return (
    <div class="field check">
      <input type="hidden" name={name} value="" />
      <input
        type="checkbox"
        id={id}
        name={name}
        value="true"
        checked={chosenValues(name, state, now).length > 0}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
      />
      <label for={id}>{label}</label>
      <FieldHelp id={id} text={help} />
      <ChangeByOthers name={name} now={now} show={() => "on"} />
    </div>
  );
};

interface ChoiceProps extends Omit<FieldProps, "required" | "help"> {
  options: readonly (Option & { help?: string })[];
}

export const ChoiceField: FC<ChoiceProps> = ({ name, label, value, options }) => {
  const state = useFormState();
  const chosen = sentValue(name, state, value);
  const fault = faultMessage(name, state);
  const id = controlId(name, state);
  return (
    <fieldset class="field choices" aria-describedby={fault === undefined ? undefined : `${id}-fault`}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label class="choice">
          <input
            type="radio"
            id={`${id}-${option.value}`}
            name={name}
            value={option.value}
            checked={option.value === chosen}
          />
          <span>
            {option.label}
            {option.help !== undefined && <span class="help">{option.help}</span>}
          </span>
        </label>
      ))}
      <ChangeByOthers name={name} now={listOf(value)} show={labelIn(options)} />
      <FieldFault id={id} text={fault} />
    </fieldset>
  );
};

interface ManyProps extends Omit<ChoiceProps, "value">, Pick<FieldProps, "help"> {
  chosen?: readonly string[];
  box?: "scroll" | "tag-choices";
}

export const ManyField: FC<ManyProps> = ({ name, label, help, options, chosen = [], box }) => {
  const state = useFormState();
  const values = chosenValues(name, state, chosen);
  const fault = faultMessage(name, state);
  const choices = options.map(({ value, label: words }) => (
    <label class="choice">
      <input type="checkbox" name={name} value={value} checked={values.includes(value)} />
      <span>{words}</span>
    </label>
  ));
  return (
    <fieldset class="field">
      <legend>
        {label}
        <span class="optional"> optional</span>
      </legend>
      {help !== undefined && <p class="help">{help}</p>}
      <input type="hidden" name={name} value="" />
      {box === undefined ? choices : <div class={box}>{choices}</div>}
      <ChangeByOthers name={name} now={chosen} show={labelIn(options)} />
      {fault !== undefined && <p class="fault">{fault}</p>}
    </fieldset>
  );
};

export const FilterSelect: FC<{
  name: string;
  label: string;
  options: readonly Option[];
  chosen: string | undefined;
}> = ({ name, label, options, chosen }) => (
  <div class="field">
    <label for={`filter-${name}`}>{label}</label>
    <select id={`filter-${name}`} name={name}>
      <Options options={options} chosen={chosen} />
    </select>
  </div>
);

/**
 * If a field changes, a script submits the form and replaces the list with the id `swap`. Without scripts, the
 * user presses a button.
 */
export const FilterForm: FC<PropsWithChildren<{ action: string; label: string; swap: string }>> = ({
  action,
  label,
  swap,
  children,
}) => (
  <form method="get" action={action} class="row filters" role="search" aria-label={label} data-swap={swap} data-live>
    {children}
    <button type="submit" class="plain scriptless">
      Show
    </button>
  </form>
);
