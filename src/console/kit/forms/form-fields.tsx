// The parts of forms. Fields are named as in the API, so that its faults are shown at them.
import type { Child, FC, PropsWithChildren } from "hono/jsx";
import { type FormState, FormStateProvider, type SentValues, TOKEN_FIELD, unsentForm, useFormState } from "./forms.ts";
import { Before, ChangeByOthers, StoredProvider } from "./changes.tsx";
import { Banner } from "../feedback.tsx";
import { usePageRequest } from "../request.ts";
import { ONCE_FIELD, REVISION_FIELD } from "./saving.ts";

interface FormProps {
  /** The whole path: `request.path("/tags")`. */
  action: string;
  /** What its fields show. Default: what was sent to `action`, where that was refused. */
  state?: FormState;
  /** Begins the ids of its fields, on a page that has several forms. */
  name?: string;
  class?: string;
  id?: string;
  /** Ids of the elements that a script replaces by those of the answer, instead of loading the page. */
  swap?: string;
  /** The record's revision as the form was made: where it is another by then, nothing is saved. */
  revision?: number | null;
  /** For a record without a revision: the form says what it was made with, so that only what differs is changed. */
  isPartial?: boolean;
  /** The record's values by field, for fields that are not given theirs. */
  stored?: SentValues;
  /** True where fields come and go while it is filled in: the form says of all of `stored` that it was made with it. */
  hasChangingFields?: boolean;
  /**
   * The browser sends the form and leaves the page, as one does who signs out. Other forms are sent by a script: they stay as they
   * are where that does not work, and can be sent again.
   */
  leaves?: boolean;
}

const NONE: SentValues = new Map();

/** A form that changes something. Forms that only read are `<form method="get">`. */
export const Form: FC<PropsWithChildren<FormProps>> = ({
  action,
  state: given,
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
  const found = given ?? (isRefused ? refused : unsentForm);
  const state = name === undefined ? found : { ...found, name };
  // Who is not signed in yet cannot do so again.
  const saves = swap === undefined && !leaves && session !== null;
  return (
    <form method="post" action={action} {...rest} data-swap={swap} data-saves={saves ? "" : undefined}>
      <input type="hidden" name={TOKEN_FIELD} value={token} />
      <input type="hidden" name={ONCE_FIELD} value={onceToken} />
      {revision !== null && (
        <input type="hidden" name={REVISION_FIELD} value={String(state.origin?.revision ?? revision)} />
      )}
      {state.banner !== null && <Banner kind="error">{state.banner}</Banner>}
      {hasChangingFields &&
        [...(state.origin?.before ?? stored)].map(([field, values]) => <Before name={field} now={values} />)}
      <StoredProvider value={revision === null && !isPartial ? null : { values: stored, isWhole: hasChangingFields }}>
        <FormStateProvider value={state}>{children}</FormStateProvider>
      </StoredProvider>
    </form>
  );
};

export interface FieldProps {
  name: string;
  label: string;
  help?: Child;
  /** Shown while the form has not been sent. */
  value?: string | null | undefined;
  /** `with-choice`: shown where a choice needs it alone. A browser sends no form with an empty required field, even a hidden one. */
  required?: boolean | "with-choice";
}

export const listOf = (value: string | null | undefined): string[] =>
  value === null || value === undefined ? [] : [value];

/** The words of an option. */
export const labelIn = (options: readonly Option[]) => (chosen: string) =>
  options.find(({ value }) => value === chosen)?.label ?? chosen;

export const controlId = (name: string, state: FormState) =>
  `${state.name === "" ? "field" : state.name}-${name.replaceAll(".", "-")}`;

export const faultMessage = (name: string, { faults }: FormState) =>
  faults.find(({ path }) => path === name || path.startsWith(`${name}.`))?.message;

export const sentValue = (name: string, state: FormState, value: string | null | undefined) =>
  state.values.get(name)?.[0] ?? value ?? "";

/** Label, help and fault around a control, which gets its id, `aria-describedby` and value. */
const Labelled: FC<{
  field: FieldProps;
  /** A value in words. */
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
      {help !== undefined && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
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
      {fault !== undefined && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
};

type InputType =
  "text" | "email" | "password" | "tel" | "url" | "number" | "date" | "datetime-local" | "color" | "search";

interface InputProps extends FieldProps {
  type?: InputType;
  autocomplete?: string;
  autofocus?: boolean;
  maxlength?: number;
  placeholder?: string;
  inputmode?: "numeric" | "decimal" | "tel";
  /** The id of a datalist with suggestions. */
  list?: string;
}

/** One line of text. Passwords are never shown again. */
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
  /** The key that leads to it. */
  shortcut?: string;
  rows?: number;
  maxlength?: number;
  /** The most characters that are taken. More can be typed and pasted; `forms/limit.client.js` says how many are too many. */
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
  /** Shown, but cannot be chosen. */
  disabled?: boolean;
}

/** The options of a `<select>`. */
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

/** The buttons below a form. */
export const Submit: FC<
  PropsWithChildren<{ kind?: "primary" | "danger" | "plain"; formnovalidate?: boolean | undefined }>
> = ({ kind = "primary", formnovalidate, children }) => (
  <button type="submit" class={kind} formnovalidate={formnovalidate}>
    {children}
  </button>
);
