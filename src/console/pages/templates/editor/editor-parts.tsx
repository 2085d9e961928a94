import type { FC } from "hono/jsx";
import { CheckField, ChoiceField } from "../../../kit/forms/choice-fields.tsx";
import { SelectField, TextArea, TextField } from "../../../kit/forms/form-fields.tsx";
import { useFormState } from "../../../kit/forms/forms.ts";
import { FileChoice, type FileKind, type TemplateFiles } from "../../messages/template/template-files.tsx";
import { type HeaderChoice, typedIn, variablesInText } from "./editor-values.ts";

export interface EditorProps {
  files: TemplateFiles;
}

const headers = [
  { value: "NONE", label: "None" },
  { value: "TEXT", label: "Text" },
  { value: "IMAGE", label: "Image" },
  { value: "VIDEO", label: "Video" },
  { value: "DOCUMENT", label: "Document" },
  { value: "LOCATION", label: "Location" },
] as const satisfies { value: HeaderChoice; label: string }[];

const fileKinds: Partial<Record<string, FileKind>> = { IMAGE: "image", VIDEO: "video", DOCUMENT: "document" };

/** Shows one field per variable in the text. When the user changes the text, a script updates the fields. */
const ExampleFields: FC<{ of: string; at: string }> = ({ of, at }) => {
  const state = useFormState();
  return (
    <div id={`${at.replaceAll(".", "-")}examples`} class="examples" data-follows>
      {variablesInText(typedIn(state.values, of)).map((name) => (
        <TextField
          name={`${at}examples.${name}`}
          label={`Example of {{${name}}}`}
          help="For the reviewers only."
          required
        />
      ))}
    </div>
  );
};

interface ExampleProps extends EditorProps {
  kind: FileKind;
  at: string;
  autofocus?: boolean;
}

const FileExample: FC<ExampleProps> = ({ kind, at, ...rest }) => (
  <FileChoice
    at={`${at}header`}
    label="Example file"
    kind={kind}
    help="Only the reviewers see this file. You provide the actual file with each message."
    {...rest}
  />
);

export const HeaderPart: FC<EditorProps> = ({ files }) => {
  const state = useFormState();
  const format = typedIn(state.values, "header.format");
  const kind = fileKinds[format];
  return (
    <fieldset>
      <legend>Header</legend>
      <SelectField name="header.format" label="Above the text" required value="NONE" options={headers} />
      {format === "TEXT" && (
        <>
          <TextField
            name="header.text"
            label="Header text"
            help="Can contain one variable, like {{1}}."
            maxlength={60}
            required
          />
          <ExampleFields of="header.text" at="header." />
        </>
      )}
      {kind !== undefined && <FileExample kind={kind} at="" files={files} />}
      {format === "LOCATION" && <p class="help">You provide the location with each message.</p>}
    </fieldset>
  );
};

interface BodyProps {
  at?: string;
  label: string;
  maxlength: number;
  rows: number;
  autofocus?: boolean;
}

export const BodyPart: FC<BodyProps> = ({ at = "", label, maxlength, rows, autofocus = false }) => (
  <>
    <TextArea
      name={`${at}body.text`}
      label={label}
      help="Variables are {{1}}, {{2}} … or names, like {{order_id}}. The text can't start or end with a variable. Format with *bold*, _italic_ and ~strikethrough~."
      rows={rows}
      maxlength={maxlength}
      autofocus={autofocus}
      required
    />
    <ExampleFields of={`${at}body.text`} at={`${at}body.`} />
  </>
);

export const FooterPart: FC = () => (
  <TextField name="footer.text" label="Footer" help="Small text below the message." maxlength={60} />
);

const formatOptions = [
  { value: "IMAGE", label: "Image" },
  { value: "VIDEO", label: "Video" },
];

export const CardFormat: FC = () => (
  <SelectField name="card_format" label="Each card starts with" required value="IMAGE" options={formatOptions} />
);

export const CardFile: FC<Omit<ExampleProps, "kind">> = (props) => (
  <FileExample kind={fileKinds[typedIn(useFormState().values, "card_format")] ?? "image"} {...props} />
);

const codeKinds = [
  { value: "COPY_CODE", label: "Copies the code" },
  { value: "ONE_TAP", label: "One-tap autofill", help: "In your Android app." },
  { value: "ZERO_TAP", label: "Zero-tap autofill", help: "In your Android app." },
];

/** The provider writes the text of a one-time password, so there is no field for the text. */
export const OneTimePart: FC = () => {
  const state = useFormState();
  const kind = typedIn(state.values, "otp.otp_type");
  return (
    <fieldset>
      <legend>One-time password</legend>
      <p class="help">WhatsApp provides the text in the template's language. You provide the code with each message.</p>
      <CheckField name="body.add_security_recommendation" label="Add “For your security, do not share this code.”" />
      <TextField
        name="footer.code_expiration_minutes"
        label="Code expiry in minutes"
        help="1 to 90, shown in the footer. Leave empty for no footer."
        inputmode="numeric"
      />
      <ChoiceField name="otp.otp_type" label="The button" value="COPY_CODE" options={codeKinds} />
      <TextField name="otp.text" label="Button label" maxlength={25} placeholder="Copy code" />
      {(kind === "ONE_TAP" || kind === "ZERO_TAP") && (
        <>
          <TextField name="otp.autofill_text" label="Autofill button label" maxlength={25} />
          <TextField name="otp.package_name" label="App package name" required />
          <TextField name="otp.signature_hash" label="App signature hash" maxlength={11} required />
        </>
      )}
      {kind === "ZERO_TAP" && (
        <CheckField name="otp.zero_tap_terms_accepted" label="We accept WhatsApp's terms for zero-tap codes" />
      )}
    </fieldset>
  );
};
