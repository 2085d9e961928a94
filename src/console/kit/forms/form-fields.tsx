// A form field has the same name as the field of the API. If the API rejects a field, the fault then appears
// next to it.
import type { Child, FC, PropsWithChildren } from "hono/jsx";
import { type FormState, FormStateProvider, type SentValues, TOKEN_FIELD, unsentForm, useFormState } from "./forms.ts";
import { Before, ChangeByOthers, StoredProvider } from "./changes.tsx";
import { Banner } from "../feedback.tsx";
import { usePageRequest } from "../request.ts";
import { ONCE_FIELD, REVISION_FIELD } from "./saving.ts";

interface FormProps {
  action: string;
  state?: FormState;
  name?: string;
  class?: string;
  id?: string;
  /** Ids, separated by spaces. A script submits the form and replaces only these elements of the page. */
  swap?: string;
  /** The record's revision when the form was rendered. If it has changed since, nothing is saved. */
  revision?: number | null;
  /**
   * For a record without a revision. The form then also submits its original values, and the server saves only
   * the fields that differ from them.
   */
  isPartial?: boolean;
  stored?: SentValues;
  /**
   * True if the user can add or remove fields. `Form` then submits all original values itself, because a field
   * that is not on the page cannot submit its own.
   */
  hasChangingFields?: boolean;
  /**
   * True if the browser must submit the form and load the next page. Otherwise, a script submits the form and
   * retries after failures.
   */
  leaves?: boolean;
}

const NONE: SentValues = new Map();

export const Form: FC<PropsWithChildren<FormProps>> = ({
  action,
  state,
  name,
  swap,
  leaves = false,
  revision = null,
  isPartial = false,
  stored = NONE,
  hasChangingFields = false,
  children,
  ...rest
}) => {
  const { token, onceToken, session, refused, url } = usePageRequest();
  const isRefused = refused !== null && new URL(action, url).pathname === url.pathname;
  const current = state ?? (isRefused ? refused : unsentForm);
  const named = name === undefined ? current : { ...current, name };
  // The script asks users to sign in again if their session has ended. Users without a session cannot do so, and
  // therefore the browser submits their forms.
  const saves = swap === undefined && !leaves && session !== null;
  return (
    <form method="post" action={action} {...rest} data-swap={swap} data-saves={saves ? "" : undefined}>
      <input type="hidden" name={TOKEN_FIELD} value={token} />
      <input type="hidden" name={ONCE_FIELD} value={onceToken} />
      {revision !== null && (
        <input type="hidden" name={REVISION_FIELD} value={String(named.origin?.revision ?? revision)} />
      )}
      {named.banner !== null && <Banner kind="error">{named.banner}</Banner>}
      {hasChangingFields &&
        [...(named.origin?.before ?? stored)].map(([field, values]) => <Before name={field} now={values} />)}
      <StoredProvider value={revision === null && !isPartial ? null : { values: stored, isWhole: hasChangingFields }}>
        <FormStateProvider value={named}>{children}</FormStateProvider>
      </StoredProvider>
    </form>
  );
};

export interface FieldProps {
  name: string;
  label: string;
  help?: Child;
  value?: string | null | undefined;
  /**
   * `with-choice` means that the field is required only for some choices in another field. For other choices it
   * is hidden and empty, and the attribute `required` would prevent the browser from submitting the form.
   */
  required?: boolean | "with-choice";
}

export const listOf = (value: string | null | undefined): string[] =>
  value === null || value === undefined ? [] : [value];

export const labelIn = (options: readonly Option[]) => (chosen: string) =>
  options.find(({ value }) => value === chosen)?.label ?? chosen;

export const controlId = (name: string, state: FormState) =>
  `${state.name === "" ? "field" : state.name}-${name.replaceAll(".", "-")}`;

export const faultMessage = (name: string, { faults }: FormState) =>
  faults.find(({ path }) => path === name || path.startsWith(`${name}.`))?.message;

export const sentValue = (name: string, state: FormState, value: string | null | undefined) =>
  state.values.get(name)?.[0] ?? value ?? "";

export const FieldHelp: FC<{ id: string; text: Child }> = ({ id, text }) =>
  text === undefined ? null : (
    <p class="help" id={`${id}-help`}>
      {text}
    </p>
  );

export const FieldFault: FC<{ id: string; text: string | undefined }> = ({ id, text }) =>
  text === undefined ? null : (
    <p class="fault" id={`${id}-fault`}>
      {text}
    </p>
  );

const Labelled: FC<{
  field: FieldProps;
  show?: (value: string) => string;
  control: (
    attributes: {
      id: string;
      name: string;
      required?: boolean | undefined;
      "aria-required"?: "true";
      "aria-describedby"?: string;
      "aria-invalid"?: "true";
    },
    value: string,
  ) => Child;
}> = ({ field: { name, label, help, value, required }, show, control }) => {
  const state = useFormState();
  const id = controlId(name, state);
  const fault = faultMessage(name, state);
  const described = [help === undefined ? "" : `${id}-help`, fault === undefined ? "" : `${id}-fault`];
  const by = described.filter((each) => each !== "").join(" ");
  return (
    <div class="field">
      <label for={id}>
        {label}
        {(required ?? false) === false && <span class="optional"> optional</span>}
      </label>
      <FieldHelp id={id} text={help} />
      {control(
        {
          id,
          name,
          ...(required === "with-choice" ? { "aria-required": "true" } : { required }),
          ...(by !== "" && { "aria-describedby": by }),
          ...(fault !== undefined && { "aria-invalid": "true" }),
        },
        sentValue(name, state, value),
      )}
      <ChangeByOthers name={name} now={listOf(value)} show={show} />
      <FieldFault id={id} text={fault} />
    </div>
  );
};

type DateType = "date" | "datetime-local";
type InputType = "text" | "email" | "password" | "tel" | "url" | "number" | "color" | "search" | DateType;

interface InputProps extends FieldProps {
  type?: InputType;
  autocomplete?: string;
  autofocus?: boolean;
  maxlength?: number;
  placeholder?: string;
  inputmode?: "numeric" | "decimal" | "tel";
  list?: string;
}

export const TextField: FC<InputProps> = ({ type = "text", autocomplete = "off", ...props }) => {
  const { autofocus, maxlength, placeholder, inputmode, list } = props;
  return (
    <Labelled
      field={props}
      control={(attributes, value) => (
        <input
          {...attributes}
          {...{ type, autocomplete, autofocus, maxlength, placeholder, inputmode, list }}
          value={type === "password" ? "" : value}
        />
      )}
    />
  );
};

interface AreaProps extends FieldProps {
  shortcut?: string;
  rows?: number;
  maxlength?: number;
  /** More characters can be typed, but `inbox/reply-field.client.js` then shows how many are too many. */
  limit?: number;
  autofocus?: boolean;
}

export const TextArea: FC<AreaProps> = ({ rows = 4, maxlength, limit, autofocus, shortcut, ...props }) => (
  <Labelled
    field={props}
    control={(attributes, value) => (
      <textarea {...attributes} {...{ rows, maxlength, autofocus }} data-key={shortcut} data-limit={limit}>
        {value}
      </textarea>
    )}
  />
);

export interface Option {
  value: string;
  label: string;
  disabled?: boolean;
}

export const Options: FC<{ options: readonly Option[]; chosen: string | undefined }> = ({ options, chosen }) => (
  <>
    {options.map(({ value, label, disabled }) => (
      <option value={value} selected={value === chosen} disabled={disabled}>
        {label}
      </option>
    ))}
  </>
);

interface SelectProps extends FieldProps {
  options: readonly Option[];
  autofocus?: boolean;
}

export const SelectField: FC<SelectProps> = ({ options, autofocus, ...props }) => (
  <Labelled
    field={props}
    show={labelIn(options)}
    control={(attributes, value) => (
      <select {...attributes} autofocus={autofocus}>
        <Options options={options} chosen={value} />
      </select>
    )}
  />
);

export const Submit: FC<
  PropsWithChildren<{ kind?: "primary" | "danger" | "plain"; formnovalidate?: boolean | undefined }>
> = ({ kind = "primary", formnovalidate, children }) => (
  <button type="submit" class={kind} formnovalidate={formnovalidate}>
    {children}
  </button>
);
