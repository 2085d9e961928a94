// The fields for a template's variables.
import type { FC } from "hono/jsx";
import { parseBody } from "../../features/templates/templates.render.ts";
import type { TemplateRecord } from "../../features/templates/templates.schemas.ts";
import { TextField } from "../kit/form-fields.tsx";
import type { FormState } from "../kit/forms.ts";

/** What a contact has a value for by itself, so that a variable may be left empty. */
function helpOf(template: TemplateRecord, name: string, own: ReadonlySet<string>): { help: string; required: boolean } {
  const { parts } = parseBody(template.source === "local" ? template.body : "");
  const fallbacks = parts.flatMap((part) => (typeof part === "string" || part.name !== name ? [] : [part.fallback]));
  const fallback = fallbacks[0] ?? null;
  const orElse = fallback === null ? " Who has none is skipped." : ` Who has none reads “${fallback}”.`;
  if (own.has(name)) {
    return { help: `Left empty, everybody's own ${name.replaceAll("_", " ")}.${orElse}`, required: false };
  }
  if (fallback !== null) return { help: `Left empty, everybody reads “${fallback}”.`, required: false };
  if (name === "1" && template.variables.length === 1) {
    return { help: "Left empty, what each contact is addressed as, else their name.", required: false };
  }
  return { help: "A text for everybody; it may hold a contact's own values, as below.", required: true };
}

const OWN_VALUES = "{{first_name|there}}";

export const Variables: FC<{ template: TemplateRecord; own: ReadonlySet<string>; state: FormState }> = ({
  template,
  own,
  state,
}) =>
  template.variables.length === 0 ? null : (
    <fieldset>
      <legend>Variables of the template</legend>
      {template.variables.map((name) => (
        <TextField
          name={`variables.${name}`}
          label={`{{${name}}}`}
          state={state}
          maxlength={4096}
          {...helpOf(template, name, own)}
        />
      ))}
      <details class="help">
        <summary>Values that contacts have of their own</summary>
        <p>
          Write <code>{OWN_VALUES}</code> and each person reads their first name, or “there”. There are:{" "}
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
