import type { FC } from "hono/jsx";
import { presentSegment, type SegmentRecord } from "../../../../features/segments/segments.schemas.ts";
import { SelectField, TextField } from "../../../kit/forms/form-fields.tsx";
import { type FormState, FormStateProvider, useFormState } from "../../../kit/forms/forms.ts";
import { useWorkspaceRequest } from "../../../kit/request.ts";
import { MAX_MESSAGE_CHARACTERS } from "../../../../shared/text/text.ts";
import { readVariables, type SentVariables } from "../../../../features/templates/model/read-values.ts";
import { parseBody } from "../../../../features/templates/model/render-text.ts";
import type { TemplateRecord } from "../../../../features/templates/templates.schemas.ts";
import { describePlaceholder } from "../../messages/template/template-fields.tsx";

const FIELD = "segment_id";
const EXPLAINED = 5;

type Segment = ReturnType<typeof presentSegment>;

const Broken: FC<{ segments: readonly Segment[] }> = ({ segments }) => {
  const { path } = useWorkspaceRequest();
  return (
    <div class="help">
      These segments use something that was deleted. Edit their conditions before you choose them:
      <ul class="notes">
        {segments.slice(0, EXPLAINED).map(({ id, name, reasons }) => (
          <li>
            <a href={path(`/segments/${id}`)}>{name}</a>: {reasons.map(({ message }) => message).join(" ")}
          </li>
        ))}
        {segments.length > EXPLAINED && (
          <li>
            and {segments.length - EXPLAINED} more, marked as broken under <a href={path("/segments")}>Segments</a>
          </li>
        )}
      </ul>
    </div>
  );
};

/**
 * If the chosen segment is broken, it stays selected and gets a fault. If the form removed it, the campaign
 * would be sent to all contacts.
 */
function stateWith(state: FormState, chosen: Segment | undefined): FormState {
  if (chosen?.invalid !== true || state.faults.some(({ path }) => path === FIELD)) return state;
  const message = `${chosen.name} is broken. Choose another segment, or edit its conditions.`;
  return { ...state, faults: [...state.faults, { path: FIELD, code: "invalid_state", message }] };
}

export const SegmentChoice: FC<{ segments: readonly SegmentRecord[] }> = ({ segments }) => {
  const state = useFormState();
  const all = segments.map(presentSegment);
  const broken = all.filter(({ invalid }) => invalid);
  const chosen = all.find(({ id }) => id === state.values.get(FIELD)?.[0]);
  if (all.length === 0) return null;
  const options = all.map(({ id, name, invalid }) => ({
    value: id,
    label: invalid ? `${name} (broken)` : name,
    disabled: invalid && id !== chosen?.id,
  }));
  return (
    <>
      <FormStateProvider value={stateWith(state, chosen)}>
        <SelectField name={FIELD} label="Segment" options={[{ value: "", label: "None" }, ...options]} />
      </FormStateProvider>
      {broken.length > 0 && <Broken segments={broken} />}
    </>
  );
};

interface VariableDefault {
  words: string | null;
  orElse: string;
}

function describeDefault(template: TemplateRecord, name: string, own: ReadonlySet<string>): VariableDefault {
  const { pieces } = parseBody(template.source === "local" ? template.body : "");
  const fallbacks = pieces.flatMap((piece) =>
    typeof piece === "string" || piece.name !== name ? [] : [piece.fallback],
  );
  const fallback = fallbacks[0] ?? null;
  const orElse = (who: string) => (fallback === null ? `${who} are skipped.` : `${who} read “${fallback}”.`);
  if (own.has(name))
    return { words: `the contact's ${name.replaceAll("_", " ")}`, orElse: orElse("Contacts without it") };
  if (fallback !== null) return { words: `“${fallback}” for every contact`, orElse: "" };
  return { words: null, orElse: "" };
}

function describeHelp(
  template: TemplateRecord,
  name: string,
  own: ReadonlySet<string>,
): { help: string; required: boolean } {
  const { words, orElse } = describeDefault(template, name, own);
  return words === null
    ? { help: "Text, or a contact field such as {{first_name|there}}.", required: true }
    : { help: `Defaults to ${words}. ${orElse}`.trim(), required: false };
}

interface Filling {
  template: TemplateRecord;
  own: ReadonlySet<string>;
  given: SentVariables | null | undefined;
}

export function describeVariables({ template, own, given }: Filling): [variable: string, words: string][] {
  const { values } = readVariables(template.variables, given ?? []);
  return Array.from(new Set([...template.variables, ...values.keys()]), (name) => {
    const text = values.get(name);
    const { words, orElse } = describeDefault(template, name, own);
    const value = text === undefined || text.trim() === "" ? `${words ?? "nothing"}. ${orElse}` : `“${text}”`;
    return [
      describePlaceholder(template, name)?.label ?? `{{${name}}}`,
      `${value.charAt(0).toUpperCase()}${value.slice(1)}`.trim(),
    ];
  });
}

const OWN_VALUES = "{{first_name|there}}";
const CONTACT_FIELDS = "contact-fields";
const GREETINGS = new Set(["name", "first_name", "address_as"]);

const suggestionFor = (name: string) => (GREETINGS.has(name) ? `{{${name}|there}}` : `{{${name}}}`);

export const VariableFields: FC<{ template: TemplateRecord; own: ReadonlySet<string> }> = ({ template, own }) =>
  template.variables.length === 0 ? null : (
    <fieldset>
      <legend>Template variables</legend>
      {template.variables.map((name) => (
        <TextField
          name={`variables.${name}`}
          label={describePlaceholder(template, name)?.label ?? `{{${name}}}`}
          maxlength={MAX_MESSAGE_CHARACTERS}
          list={CONTACT_FIELDS}
          {...describeHelp(template, name, own)}
        />
      ))}
      <datalist id={CONTACT_FIELDS}>
        {[...own].map((name) => (
          <option value={suggestionFor(name)} />
        ))}
      </datalist>
      <details class="help">
        <summary>Contact fields</summary>
        <p>
          <code>{OWN_VALUES}</code> inserts the contact's first name, or “there” if it is missing. Available fields:{" "}
          {[...own].map((name, at) => (
            <>
              {at > 0 && ", "}
              <code>{name}</code>
            </>
          ))}
          .
        </p>
      </details>
    </fieldset>
  );
